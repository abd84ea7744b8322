import { sweepTimer } from '../../jobs/timers/timer.ts';
import { closeDisputes } from './disputes.ts';
import { lockOrders } from './locked_orders.ts';
import { byProduct, settle } from './settle.ts';

/** Refunds the buyer if the seller has not answered the dispute within two days. */
export const refundUnansweredDisputes = sweepTimer({
  name: 'refund_unanswered_disputes',
  title: 'Refund unanswered disputes',
  summary: 'Internal: refunds buyers whose dispute the seller did not answer in time.',
  everyMs: 60_000,
  done: ['refunded', 'Orders refunded.'],
  rowsMax: 200,
  due: {
    table: 'dispute',
    id: 'order_id',
    where: 'responded_at is null and closed_at is null and respond_by <= now()',
    order: 'respond_by',
  },
  lock: async (db, ids) => (await lockOrders(db, ids)).toSorted(byProduct),

  async work(tx, orders) {
    await closeDisputes(tx.db, orders, 'seller_silent');
    await settle(tx, orders, () => 0n);
  },
});
