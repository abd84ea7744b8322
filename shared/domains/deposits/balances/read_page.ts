import type {
  BalanceChange,
  BalanceReader,
  ExplainedChange,
  PastBalances,
} from '../chain/deposit_chain.ts';
import { changesBetween } from './balance_changes.ts';
import {
  statesOf,
  type BalanceState,
  type HeldNow,
  type PageReading,
  type ReadingOptions,
} from './page_reading.ts';
import type { Page } from './pages.ts';
import { readListed } from './read_listed.ts';

/** Blocks that are read whole in one run, for a page. The next run goes on behind them. */
const BLOCKS_MAX = 40;

/**
 * Reads the balances of a page, and finds the blocks of those changes that the recorded payments do
 * not explain.
 */
export async function readPage(
  reader: BalanceReader,
  page: Page,
  options: ReadingOptions,
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

/** The present balances of a page, whatever their origin. */
async function readBase(
  reader: BalanceReader,
  { page, block: from, addresses }: Page,
  { to, assets }: ReadingOptions,
): Promise<PageReading> {
  const held: HeldNow[] = [];
  for (const asset of addresses.length > 0 ? assets : []) {
    const now = await reader.held(to, asset, addresses);
    // A node that is behind is noticed later where there is a balance to compare with.
    if ('changes' in reader && String(await reader.held(to, asset, addresses)) !== String(now)) {
      throw new Error('a provider tells two balances after one block');
    }
    const all = addresses.map((address, n) => {
      return { asset, address, amount: now[n]!, base: now[n]! };
    });
    held.push(...all.filter(({ amount }) => amount > 0n));
  }
  return { page, from, to, isBase: true, held, changes: [], differs: [] };
}

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
  readonly states: readonly BalanceState[];
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
