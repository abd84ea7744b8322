import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows, type Database } from '../platform/rows.ts';
import { closeDispute } from './disputes.ts';
import { lockOrders } from './locked_orders.ts';
import { settle } from './settle.ts';

const ORDERS_MAX = 200;

/** A seller that does not answer within two days loses the dispute. */
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
    const orders = await lockOrders(tx.db, await findUnanswered(tx.db));
    // The seller may have answered while this transaction waited for the locks.
    const unanswered = new Set(await findUnanswered(tx.db));
    const lost = orders.filter(({ id, status }) => status === 'disputed' && unanswered.has(id));
    for (const order of lost) await closeDispute(tx.db, order, 'seller_silent');
    await settle(tx.db, lost, () => 0n);
    return { refunded: lost.length };
  },
});

async function findUnanswered(db: Database): Promise<number[]> {
  const found = await rows(
    db,
    { order_id: column.id },
    `select order_id from dispute
      where responded_at is null and closed_at is null and respond_by <= now()
      order by respond_by limit $1`,
    [ORDERS_MAX],
  );
  return found.map(({ order_id }) => order_id);
}
