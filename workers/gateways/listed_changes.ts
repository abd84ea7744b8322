import type {
  ChainTransfer,
  ExplainedChange,
} from '../../shared/domains/deposits/chain/deposit_chain.ts';

/** The sum of changes. */
export const sumOf = (changes: readonly Pick<ExplainedChange, 'change'>[]): bigint =>
  changes.reduce((sum, { change }) => sum + change, 0n);

/** The change by a transaction without the payments in it. */
export const beside = (change: bigint, transfers: readonly ChainTransfer[]): bigint =>
  transfers.reduce((rest, { amount }) => rest - amount, change);

/** Changes of single transactions, as one for each block and address, oldest first. */
export function changesByBlock(changes: readonly ExplainedChange[]): readonly ExplainedChange[] {
  const found = new Map<string, ExplainedChange>();
  for (const one of changes) {
    const key = `${one.block} ${one.asset} ${one.address}`;
    const before = found.get(key);
    found.set(key, before ? joined(before, one) : one);
  }
  return [...found.values()].toSorted(
    (a, b) => a.block - b.block || a.address.localeCompare(b.address),
  );
}

const joined = (one: ExplainedChange, other: ExplainedChange): ExplainedChange => ({
  ...one,
  change: one.change + other.change,
  own: (one.own ?? 0n) + (other.own ?? 0n),
  transfers: [...one.transfers, ...other.transfers].toSorted(
    (a, b) => a.txId.localeCompare(b.txId) || a.index - b.index,
  ),
});
