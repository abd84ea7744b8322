import type { EntityManager } from 'typeorm';

import { column, rows, type Row } from '../../platform/rows.ts';
import { ORDER, ORDER_COLUMNS } from './order.ts';

const LOCKED_ORDER = { ...ORDER, seller_root: column.id };
/** An order whose row and whose parties' trees are locked until the transaction ends. */
export type LockedOrder = Row<typeof LOCKED_ORDER>;

/** Locks orders in the order that all transactions use: first the trees of both parties. */
export const lockOrders = (
  db: EntityManager,
  orderIds: readonly number[],
): Promise<LockedOrder[]> =>
  rows(db, LOCKED_ORDER, `select ${ORDER_COLUMNS}, o.seller_root from lock_orders($1) o`, [
    orderIds,
  ]);
