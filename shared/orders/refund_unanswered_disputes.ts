import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { closeDispute } from './disputes.ts';
import { lockOrders } from './locked_orders.ts';
import { settle } from './settle.ts';

const ORDERS_MAX = 200;

/** A seller who does not answer within two days loses the dispute. */
export const refundUnansweredDisputes = operation({
  name: 'refund_unanswered_disputes',
  title: 'Refund unanswered disputes',
  summary: 'Internal: refunds buyers whose dispute the seller did not answer in time.',
  access: 'operator',
  mode: 'job',
  domain: 'orders',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({ refunded: Type.Integer({ description: 'How many orders.' }) }),

  async handle(tx) {
    const due: { order_id: number }[] = await tx.db.query(UNANSWERED, [ORDERS_MAX]);
    const orders = await lockOrders(
      tx.db,
      due.map((row) => row.order_id),
    );
    // The seller may have answered while the locks were waited for.
    const still: { order_id: number }[] = await tx.db.query(UNANSWERED, [ORDERS_MAX]);
    const unanswered = new Set(still.map((row) => row.order_id));
    const lost = orders.filter(({ id, status }) => status === 'disputed' && unanswered.has(id));
    for (const order of lost) await closeDispute(tx.db, order, 'seller_silent');
    await settle(tx.db, lost, () => 0n);
    return { refunded: lost.length };
  },
});

const UNANSWERED = `
  select order_id from dispute
   where responded_at is null and closed_at is null and respond_by <= now()
   order by respond_by limit $1`;
