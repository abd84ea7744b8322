import type { EntityManager } from 'typeorm';

import { lockTreasuries } from '../ledger/ledger.ts';
import { column, rows, type Row } from '../platform/rows.ts';
import { ORDER, ORDER_COLUMNS } from './order.ts';

const LOCKED_ORDER = {
  ...ORDER,
  buyer_root: column.id,
  seller_root: column.id,
  /** The UTC day whose limits it counts to, YYYY-MM-DD. */
  spent_on: column.text,
};
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
    `select distinct r.root_id from orders o
      cross join lateral (values (o.buyer_root), (o.seller_root)) r (root_id)
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
    `select ${ORDER_COLUMNS}, o.buyer_root, o.seller_root, o.spent_on::text
       from orders o where o.id = any ($1) order by o.id for no key update`,
    [orderIds],
  );
}
