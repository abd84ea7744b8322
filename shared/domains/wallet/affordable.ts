import { lockTreasuries, spendableOf, sumOf } from '../ledger/ledger.ts';
import { fromUsd } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { METERED, spendOn, type MeteredCharge } from './charge.ts';
import { findBrokenRule } from './policy.ts';

/**
 * Number of these units that policies and balance allow now without an approval, for callers that
 * prefer fewer units to a refusal. Locks the caller's tree, so that it stays true for `charge` in
 * the same transaction.
 */
export async function affordableUnits(tx: Tx, metered: MeteredCharge): Promise<number> {
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
