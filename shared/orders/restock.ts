import type { EntityManager } from 'typeorm';

import type { LockedOrder } from './locked_orders.ts';

/**
 * What a refunded order gives back. Secrets that nobody saw can be sold again; what was seen is
 * burned, since its buyer may have kept it.
 */
export async function restock(db: EntityManager, order: LockedOrder): Promise<void> {
  const { id, productId, quantity, revealed } = order;
  if (revealed) {
    await db.query(`update stock set status = 'burned' where order_id = $1`, [id]);
    return;
  }
  await db.query(`update stock set status = 'available', order_id = null where order_id = $1`, [
    id,
  ]);
  await db.query(
    `update product set quantity = quantity + $2 where id = $1 and stock_kind = 'counted'`,
    [productId, quantity],
  );
}
