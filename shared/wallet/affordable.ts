import { lockTreasuries, spendableOf, sumOf } from '../ledger/ledger.ts';
import { fromUsd } from '../ledger/money.ts';
import type { Tx } from '../kernel/operation.ts';
import { METERED, spendOn, type Metered } from './charge.ts';
import { findBrokenRule } from './policy.ts';

/**
 * How many of these units policies and balance allow now without an owner, for callers that prefer
 * fewer units to a refusal. Locks the caller's tree, so that `charge` in the same transaction finds
 * it so.
 */
export async function affordableUnits(tx: Tx, metered: Metered): Promise<number> {
  const { unitPrice } = METERED[metered.service];
  const { rootId } = tx.caller;
  const holds = (await lockTreasuries(tx.db, [rootId])).get(rootId)!;
  const spend = spendOn(metered);
  const { amount } = spend;
  const broken = await findBrokenRule(tx, spend, metered.parent ?? tx.key);
  const allowed = broken ? fromUsd(broken.trace.largest_that_passes) : amount;
  const least = [allowed, sumOf(spendableOf(holds)), amount].reduce((a, b) => (a < b ? a : b));
  return Number(least / unitPrice);
}
