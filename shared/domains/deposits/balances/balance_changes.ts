import type { BalanceChange, PastBalances } from '../chain/deposit_chain.ts';

/** Balances of addresses after two blocks, between which all of them changed. */
interface Between {
  readonly asset: string;
  readonly from: number;
  readonly to: number;
  readonly addresses: readonly string[];
  readonly before: readonly bigint[];
  readonly after: readonly bigint[];
}

/**
 * Finds the block of each change, by halves: of a minute of blocks in eight questions at most. What
 * came and left again, to the last unit, between two readings is no change.
 */
export async function changesBetween(
  reader: PastBalances,
  { asset, from, to, addresses, before, after }: Between,
): Promise<readonly BalanceChange[]> {
  const changed = addresses.flatMap((address, n) =>
    before[n] === after[n] ? [] : { address, before: before[n]!, after: after[n]! },
  );
  if (changed.length === 0) return [];
  if (to === from + 1) {
    return changed.map((one) => ({
      block: to,
      asset,
      address: one.address,
      change: one.after - one.before,
    }));
  }
  const named = changed.map(({ address }) => address);
  const middle = Math.floor((from + to) / 2);
  const between = await reader.held(middle, asset, named);
  const half = { asset, addresses: named };
  const first = { from, to: middle, before: changed.map((one) => one.before), after: between };
  const last = { from: middle, to, before: between, after: changed.map((one) => one.after) };
  return [
    ...(await changesBetween(reader, { ...half, ...first })),
    ...(await changesBetween(reader, { ...half, ...last })),
  ];
}
