import { sweepTimer } from '../../jobs/timers/timer.ts';
import { lockOrders } from './locked_orders.ts';
import { byProduct, settle } from './settle.ts';

/**
 * Releases the escrows whose release time has come, the orders of many sellers in one statement.
 */
export const releaseDueOrders = sweepTimer({
  name: 'release_due_orders',
  title: 'Release due orders',
  summary: 'Internal: pays sellers for orders whose release time has come.',
  everyMs: 60_000,
  done: ['released', 'Orders released.'],
  rowsMax: 500,
  due: {
    table: 'orders',
    where: `status = 'escrow' and release_at <= now()
      and not exists (select from order_access a where a.order_id = orders.id)`,
    order: 'release_at',
  },
  lock: async (db, ids) => (await lockOrders(db, ids)).toSorted(byProduct),
  work: (tx, orders) => settle(tx, orders, ({ subtotal }) => subtotal),
});
