import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { isAttemptDue, sweep } from '../jobs/sweep.ts';
import { column, rows, type Database } from '../platform/rows.ts';
import { closeDispute } from './disputes.ts';
import { lockOrders } from './locked_orders.ts';
import { byProduct, settle } from './settle.ts';

const NAME = 'refund_unanswered_disputes';
const ORDERS_MAX = 200;

/** A seller that does not answer within two days loses the dispute. */
export const refundUnansweredDisputes = operation({
  name: NAME,
  title: 'Refund unanswered disputes',
  summary: 'Internal: refunds buyers whose dispute the seller did not answer in time.',
  access: 'operator',
  mode: 'job',
  domain: 'orders',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({
    refunded: Type.Integer({ description: 'How many orders.' }),
    failed: Type.Integer({ description: 'How many could not be refunded; see list_faults.' }),
  }),

  async handle(tx) {
    const found = await findUnanswered(tx.db);
    const orders = await lockOrders(tx.db, found);
    // The seller may have answered while this transaction waited for the locks.
    const unanswered = new Set(await findUnanswered(tx.db));
    const lost = orders.filter(({ id, status }) => status === 'disputed' && unanswered.has(id));
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: lost.toSorted(byProduct),
      async work(some) {
        for (const order of some) await closeDispute(tx.db, order, 'seller_silent');
        await settle(tx, some, () => 0n);
      },
    });
    if (found.length === ORDERS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { refunded: done, failed };
  },
});

/** It starts itself again for the disputes that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;

async function findUnanswered(db: Database): Promise<number[]> {
  const found = await rows(
    db,
    { order_id: column.id },
    `select order_id from dispute
      where responded_at is null and closed_at is null and respond_by <= now()
        and ${isAttemptDue(NAME, 'dispute.order_id')}
      order by respond_by limit $1`,
    [ORDERS_MAX],
  );
  return found.map(({ order_id }) => order_id);
}
