import type { ExplainedChange, ListedBalances } from '../chain/deposit_chain.ts';
import {
  statesOf,
  type BalanceState,
  type HeldNow,
  type PageReading,
  type ReadingOptions,
} from './page_reading.ts';
import type { Page } from './pages.ts';

/** Reads a page where the transactions of the addresses are listed: these tell the changes. */
export async function readListed(
  reader: ListedBalances,
  page: Page & { readonly block: number },
  options: ReadingOptions,
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
  { one, stored = 0n, payments }: BalanceState,
  changes: readonly ExplainedChange[],
): boolean {
  const listed = changes.filter(({ address }) => address === one.address);
  const blocks = new Set(listed.map(({ block }) => block));
  const unlisted = payments.filter(({ position }) => !blocks.has(position));
  const known = unlisted.reduce((sum, { amount }) => sum + amount, stored);
  return listed.reduce((sum, { change }) => sum + change, known) === one.amount;
}
