import { announceTiers } from '../ledger/tier_rises.ts';
import type { MoneyTx } from '../ledger/ledger.ts';
import type { Micros } from '../../kernel/money.ts';
import { execute } from '../../platform/rows.ts';
import type { LockedOrder } from './locked_orders.ts';

/**
 * Empties the escrows of these orders and closes them: the earned part of each subtotal to its
 * seller, the fee for that part to the platform, the rest back to its buyer.
 */
export async function settle(
  tx: MoneyTx,
  orders: readonly LockedOrder[],
  toSeller: (order: LockedOrder) => Micros,
): Promise<void> {
  const earned = orders.map(toSeller);
  const ids = orders.map(({ id }) => id);
  await execute(tx.db, 'select settle_orders($1, $2)', [ids, earned]);
  const paid = orders.filter((_, n) => earned[n]! > 0n);
  await announceSales(
    tx,
    paid.map(({ seller_root }) => seller_root),
  );
}

/** Announces the tiers to which sales have raised these trees. */
export const announceSales = ({ db, config }: MoneyTx, roots: readonly number[]): Promise<void> =>
  announceTiers(db, config.api.tiers, new Set(roots));

/** The order in which settling locks products. */
export const byProduct = (a: LockedOrder, b: LockedOrder) => a.product_id - b.product_id;
