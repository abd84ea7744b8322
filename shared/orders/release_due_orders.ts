import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { isAttemptDue, sweep } from '../jobs/sweep.ts';
import { column, rows } from '../platform/rows.ts';
import { lockOrders } from './locked_orders.ts';
import { byProduct, settle } from './settle.ts';

const NAME = 'release_due_orders';
const ORDERS_MAX = 500;

/**
 * Releases the escrows whose release time has come, the orders of many sellers in one statement.
 */
export const releaseDueOrders = operation({
  name: NAME,
  title: 'Release due orders',
  summary: 'Internal: pays sellers for orders whose release time has come.',
  access: 'operator',
  mode: 'job',
  domain: 'orders',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({
    released: Type.Integer({ description: 'How many orders.' }),
    failed: Type.Integer({ description: 'How many could not be released; see list_faults.' }),
  }),

  async handle(tx) {
    const due = await rows(
      tx.db,
      { id: column.id },
      `select id from orders
        where status = 'escrow' and release_at <= now() and ${isAttemptDue(NAME, 'orders.id')}
        order by release_at limit $1`,
      [ORDERS_MAX],
    );
    const locked = await lockOrders(
      tx.db,
      due.map(({ id }) => id),
    );
    // An order may have changed while this transaction waited for its lock.
    const orders = locked.filter(({ status }) => status === 'escrow').toSorted(byProduct);
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: orders,
      work: (some) => settle(tx, some, ({ subtotal }) => subtotal),
    });
    if (due.length === ORDERS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { released: done, failed };
  },
});

/** It starts itself again for the orders that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;
