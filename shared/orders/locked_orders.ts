import type { EntityManager } from 'typeorm';

import { lockTreasuries } from '../ledger/ledger.ts';
import { column, rows, type Row } from '../platform/rows.ts';
import { ORDER, ORDER_COLUMNS } from './order.ts';

const LOCKED_ORDER = { ...ORDER, buyers_root: column.id, sellers_root: column.id };
/** An order whose row and whose parties' trees are locked until the transaction ends. */
export type LockedOrder = Row<typeof LOCKED_ORDER>;

/** Locks in the order that all transactions use: the trees of both parties, then the orders. */
export async function lockOrders(
  db: EntityManager,
  orderIds: readonly number[],
): Promise<LockedOrder[]> {
  const parties = await rows(
    db,
    { root_id: column.id },
    `select distinct a.root_id from orders o join agent a on a.id in (o.buyer_id, o.seller_id)
      where o.id = any ($1)`,
    [orderIds],
  );
  await lockTreasuries(
    db,
    parties.map((party) => party.root_id),
  );
  return rows(
    db,
    LOCKED_ORDER,
    `select ${ORDER_COLUMNS}, buyer.root_id as buyers_root, seller.root_id as sellers_root
       from orders o join agent buyer on buyer.id = o.buyer_id
       join agent seller on seller.id = o.seller_id
      where o.id = any ($1) order by o.id for no key update of o`,
    [orderIds],
  );
}
