import type {
  BalanceChange,
  BalanceReader,
  ExplainedChange,
  ListedBalances,
  PastBalances,
} from '../chain/deposit_chain.ts';
import { changesBetween } from './balance_changes.ts';
import type { Page } from './pages.ts';

/** Blocks that are read whole in one run, for a page. The next run goes on behind them. */
const BLOCKS_MAX = 40;

/** Balances of a page after a block, and what changed them. */
export interface PageReading {
  readonly page: number;
  /** The block that it was read after before; null: it was not. */
  readonly from: number | null;
  readonly to: number;
  /** Whether it is compared from now on, with what it holds. */
  readonly isBase: boolean;
  /** Balances to record. */
  readonly held: readonly HeldNow[];
  /** Changes that recorded payments do not explain. */
  readonly changes: readonly ExplainedChange[];
  /** Balances that no listed change explains: the page is read from the same block again. */
  readonly differs: readonly HeldNow[];
}

interface HeldNow {
  readonly asset: string;
  readonly address: string;
  readonly amount: bigint;
  /** Balance before it was compared, if nothing is recorded of it yet. */
  readonly base: bigint;
}

interface Options {
  readonly to: number;
  readonly assets: readonly string[];
  /** A new chain may be in place of the one that was read before. */
  readonly isSandbox: boolean;
}

/**
 * Reads the balances of a page, and finds the blocks of those changes that the recorded payments do
 * not explain.
 */
export async function readPage(
  reader: BalanceReader,
  page: Page,
  options: Options,
): Promise<PageReading> {
  const { to, assets, isSandbox } = options;
  const { addresses, block: from } = page;
  if (from === null || (isSandbox && to < from)) return readBase(reader, page, options);
  const [held, changes]: [HeldNow[], BalanceChange[]] = [[], []];
  const differs: HeldNow[] = [];
  const reading = { page: page.page, from, to: Math.max(from, to), isBase: false, held, differs };
  // The search goes back only if operators have it begin anew.
  if (to <= from || addresses.length === 0) return { ...reading, changes: [] };
  if ('changes' in reader) {
    const listed = await readListed(reader, { ...page, block: from }, options);
    return { ...reading, ...listed };
  }
  for (const asset of assets) {
    const states = await statesOf(reader, page, { asset, to });
    const unexplained = states.filter(({ isExplained }) => !isExplained);
    const named = unexplained.map(({ one }) => one.address);
    const before = await heldBefore(reader, { from, asset, named, isSandbox });
    const isSame =
      before && unexplained.every(({ stored }, n) => (stored ?? before[n]) === before[n]);
    if (!isSame && isSandbox) return readBase(reader, page, options);
    if (!isSame) throw new Error(`block ${from} is not the one whose balances were read`);
    const bases = new Map(named.map((address, n) => [address, before[n]!]));
    held.push(
      ...states
        .filter(({ isKept }) => isKept)
        .map(({ one }) => ({ ...one, base: bases.get(one.address) ?? 0n })),
    );
    if (unexplained.length === 0) continue;
    changes.push(...(await changesOf(reader, { asset, from, to, states: unexplained, before })));
  }
  const blocks = [...new Set(changes.map(({ block }) => block))].toSorted((a, b) => a - b);
  if (blocks.length > BLOCKS_MAX) {
    return readPage(reader, page, { ...options, to: blocks[BLOCKS_MAX - 1]! });
  }
  return { ...reading, changes: await explained(reader, blocks, changes) };
}

/** The same, where the transactions of the addresses are listed: these tell the changes. */
async function readListed(
  reader: ListedBalances,
  page: Page & { readonly block: number },
  options: Options,
): Promise<Pick<PageReading, 'to' | 'held' | 'changes' | 'differs'>> {
  const { to, assets } = options;
  const [held, differs]: [HeldNow[], HeldNow[]] = [[], []];
  const changes: ExplainedChange[] = [];
  for (const asset of assets) {
    const states = await statesOf(reader, page, { asset, to });
    const kept = states.filter(({ isKept }) => isKept);
    held.push(...kept.map(({ one }) => ({ ...one, base: 0n })));
    const unexplained = states.filter(({ isExplained }) => !isExplained);
    if (unexplained.length === 0) continue;
    const addresses = unexplained.map(({ one }) => one.address);
    const search = { from: page.block, to, addresses };
    const reach = await reader.reach(asset, search);
    if (reach < to) return readListed(reader, page, { ...options, to: reach });
    const found = await reader.changes(asset, search);
    changes.push(...found);
    const others = unexplained.filter((state) => !isExplainedBy(state, found));
    differs.push(...others.map(({ one }) => ({ ...one, base: 0n })));
  }
  return differs.length > 0
    ? { to: page.block, held: [], changes: [], differs }
    : { to, held, changes, differs };
}

/** Whether listed changes, and recorded payments that no list shows, make the difference. */
function isExplainedBy(
  { one, stored = 0n, payments }: State,
  changes: readonly ExplainedChange[],
): boolean {
  const listed = changes.filter(({ address }) => address === one.address);
  const blocks = new Set(listed.map(({ block }) => block));
  const unlisted = payments.filter(({ position }) => !blocks.has(position));
  const known = unlisted.reduce((sum, { amount }) => sum + amount, stored);
  return listed.reduce((sum, { change }) => sum + change, known) === one.amount;
}

/** The present balances of a page, whatever their origin. */
async function readBase(
  reader: BalanceReader,
  { page, block: from, addresses }: Page,
  { to, assets }: Options,
): Promise<PageReading> {
  const held: HeldNow[] = [];
  for (const asset of addresses.length > 0 ? assets : []) {
    const now = await reader.held(to, asset, addresses);
    const all = addresses.map((address, n) => {
      return { asset, address, amount: now[n]!, base: now[n]! };
    });
    held.push(...all.filter(({ amount }) => amount > 0n));
  }
  return { page, from, to, isBase: true, held, changes: [], differs: [] };
}

async function statesOf(
  reader: BalanceReader,
  page: Page,
  { asset, to }: { readonly asset: string; readonly to: number },
) {
  const now = await reader.held(to, asset, page.addresses);
  return page.addresses.map((address, n) => stateOf(page, { asset, address, amount: now[n]! }, to));
}

/** The state of one balance. It is explained if recorded payments make the difference. */
function stateOf({ stored, known }: Page, one: Omit<HeldNow, 'base'>, to: number) {
  const isOfOne = ({ asset, address }: { asset: string; address: string }) =>
    asset === one.asset && address === one.address;
  const payments = known.filter((paid) => isOfOne(paid) && paid.position <= to);
  const recorded = stored.find(isOfOne)?.amount;
  const before = recorded ?? 0n;
  const paid = payments.reduce((sum, { amount }) => sum + amount, 0n);
  return {
    one,
    stored: recorded,
    payments,
    isExplained: before + paid === one.amount,
    isKept: before !== one.amount || payments.length > 0,
  };
}
type State = ReturnType<typeof stateOf>;

interface Before {
  readonly from: number;
  readonly asset: string;
  readonly named: readonly string[];
  readonly isSandbox: boolean;
}

/** A sandbox that was started anew has no state of old blocks. */
async function heldBefore(reader: PastBalances, { from, asset, named, isSandbox }: Before) {
  if (named.length === 0) return [];
  try {
    return await reader.held(from, asset, named);
  } catch (error) {
    if (isSandbox) return undefined;
    throw error;
  }
}

interface Unexplained {
  readonly asset: string;
  readonly from: number;
  readonly to: number;
  readonly states: readonly State[];
  readonly before: readonly bigint[];
}

/**
 * The changes of these balances. They are read at the blocks of recorded payments too: money that
 * came and was collected at once leaves the balance as it was.
 */
async function changesOf(
  reader: PastBalances,
  { asset, from, to, states, before }: Unexplained,
): Promise<readonly BalanceChange[]> {
  const addresses = states.map(({ one }) => one.address);
  const paidAt = states
    .flatMap(({ payments }) => payments)
    .flatMap(({ position: at }) => [at - 1, at]);
  const inside = [...new Set(paidAt)].filter((at) => at > from && at < to);
  const changes: BalanceChange[] = [];
  let [last, held] = [from, before];
  for (const at of [...inside.toSorted((a, b) => a - b), to]) {
    const after =
      at === to ? states.map(({ one }) => one.amount) : await reader.held(at, asset, addresses);
    const part = { asset, from: last, to: at, addresses, before: held, after };
    changes.push(...(await changesBetween(reader, part)));
    [last, held] = [at, after];
  }
  return changes;
}

async function explained(
  reader: PastBalances,
  blocks: readonly number[],
  changes: readonly BalanceChange[],
): Promise<readonly ExplainedChange[]> {
  const all: ExplainedChange[] = [];
  for (const block of blocks) {
    const inBlock = changes.filter((change) => change.block === block);
    const recipients = new Set(inBlock.map(({ address }) => address));
    const { at, transfers } = await reader.paymentsIn(block, recipients);
    all.push(
      ...inBlock.map((change) => ({
        ...change,
        at,
        transfers: transfers.filter(
          ({ asset, to }) => asset === change.asset && to === change.address,
        ),
      })),
    );
  }
  return all;
}
