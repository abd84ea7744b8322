import { sweepTimer } from '../../jobs/timers/timer.ts';
import { lockOrders } from '../orders/locked_orders.ts';
import { byProduct, settle } from '../orders/settle.ts';

/** Refunds buyers that asked for what they bought and were not let in for seven days. */
export const refundUnservedOrders = sweepTimer({
  name: 'refund_unserved_orders',
  title: 'Refund unserved orders',
  summary: 'Internal: refunds buyers of datasets whom the server of the seller did not let in.',
  everyMs: 60_000,
  done: ['refunded', 'Orders refunded.'],
  rowsMax: 200,
  due: {
    table: 'order_access',
    id: 'order_id',
    where: `access_by <= now()
      and exists (select from orders o where o.id = order_id and o.status = 'escrow')`,
    order: 'access_by',
  },
  lock: async (db, ids) => (await lockOrders(db, ids)).toSorted(byProduct),
  work: (tx, orders) => settle(tx, orders, () => 0n),
});
