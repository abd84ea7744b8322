import type { EntityManager } from 'typeorm';

import { execute } from '../platform/rows.ts';
import type { LockedOrder } from './locked_orders.ts';

/**
 * Gives the units of a refunded order back to the stock. A secret that nobody saw can be sold
 * again. One that was seen is burned, since its buyer may have kept it.
 */
export async function restock(db: EntityManager, order: LockedOrder): Promise<void> {
  const { id, product_id, quantity, revealed_at } = order;
  if (revealed_at) {
    await execute(db, `update stock set status = 'burned' where order_id = $1`, [id]);
    return;
  }
  await execute(db, `update stock set status = 'available', order_id = null where order_id = $1`, [
    id,
  ]);
  await execute(
    db,
    `update product set quantity = quantity + $2 where id = $1 and stock_kind = 'counted'`,
    [product_id, quantity],
  );
}
