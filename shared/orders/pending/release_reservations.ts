import { isAttemptDue, sweep } from '../../jobs/sweep.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { giveBackUnits, lockPendingOrders, tell } from './pending_orders.ts';

const NAME = 'release_reservations';
const ORDERS_MAX = 200;

/** Sells again what was reserved for too long. The purchases wait on, without their units. */
export const releaseReservations = operation({
  name: NAME,
  title: 'Release reservations',
  summary: 'Internal: sells again what was reserved for purchases that wait for an owner.',
  access: 'operator',
  mode: 'job',
  domain: 'orders',
  queue: 'timers',
  everyMs: 30_000,
  input: Input({}),
  output: Output({
    released: Type.Integer({ description: 'Of how many purchases.' }),
    failed: Type.Integer({ description: 'How many could not be released; see list_faults.' }),
  }),

  async handle(tx) {
    // In the order of products, as every transaction locks them. What is decided now is left out.
    const orders = await lockPendingOrders(
      tx.db,
      `id in (select id from pending_order
               where reserved_until <= now() and ${isAttemptDue(NAME, 'pending_order.id')}
               order by product_id, id limit $1 for update skip locked) order by product_id, id`,
      [ORDERS_MAX],
    );
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: orders,
      async work(some) {
        await giveBackUnits(tx.db, some);
        for (const order of some) {
          await tell(tx.db, order, 'pending_approval', 'order.reservation_ended');
        }
      },
    });
    if (orders.length === ORDERS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { released: done, failed };
  },
});

/** It starts itself again for those that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;
