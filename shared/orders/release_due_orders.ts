import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows } from '../platform/rows.ts';
import { lockOrders } from './locked_orders.ts';
import { settle } from './settle.ts';

const ORDERS_MAX = 500;

/**
 * Releases the escrows whose release time has come, the orders of many sellers in one statement.
 */
export const releaseDueOrders = operation({
  name: 'release_due_orders',
  title: 'Release due orders',
  summary: 'Internal: pays sellers for orders whose release time has come.',
  access: 'operator',
  mode: 'job',
  domain: 'orders',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({ released: Type.Integer({ description: 'How many orders.' }) }),

  async handle(tx) {
    const due = await rows(
      tx.db,
      { id: column.id },
      `select id from orders where status = 'escrow' and release_at <= now()
        order by release_at limit $1`,
      [ORDERS_MAX],
    );
    const locked = await lockOrders(
      tx.db,
      due.map(({ id }) => id),
    );
    // An order may have changed while this transaction waited for its lock.
    const released = locked.filter(({ status }) => status === 'escrow');
    await settle(tx.db, released, ({ subtotal }) => subtotal);
    if (due.length === ORDERS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { released: released.length };
  },
});

/** It starts itself again for the orders that are too many for one transaction. */
const itself = { name: 'release_due_orders', queue: 'timers', input: Input({}) } as const;
