import { operation } from '../../kernel/operation.ts';
import { Id, Input, Output, Type } from '../../kernel/schema.ts';
import { column, rows } from '../../platform/rows.ts';
import { assertRole, assertStatus, lockOwnOrder } from './own_orders.ts';
import { announceSales } from './settle.ts';

/** Orders of one call. The SQL function settles so many in one statement. */
const ORDERS_MAX = 64;

export const confirmOrders = operation({
  name: 'confirm_orders',
  title: 'Confirm several orders',
  summary:
    'Releases the escrows of several orders of yours to their sellers at once: all of them, or ' +
    'none if one cannot be confirmed. Final, as confirm_order. Free.',
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/orders/confirm',
  bindings: { tool: false },
  effects: { destructive: true },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    order_ids: Type.Array(Id('An order of yours in escrow.'), {
      minItems: 1,
      maxItems: ORDERS_MAX,
      uniqueItems: true,
      description: 'The orders.',
    }),
  }),
  output: Output('ConfirmedOrders', {
    order_ids: Type.Array(Id('A confirmed order.'), { description: 'The confirmed orders.' }),
    count: Type.Integer({ description: 'Number of them.' }),
  }),

  async handle(tx, { order_ids: ids }) {
    const confirmed = await rows(
      tx.db,
      { nth: column.id, seller_root: column.id },
      'select nth, seller_root from confirm_orders($1, $2)',
      [ids, ids.map(() => tx.caller.agentId)],
    );
    const isConfirmed = new Set(confirmed.map(({ nth }) => nth - 1));
    const left = ids.find((_id, n) => !isConfirmed.has(n));
    // Its refusal undoes what was confirmed.
    if (left !== undefined) {
      const { order, role } = await lockOwnOrder(tx, left);
      assertRole(role, 'buyer');
      assertStatus(order, 'escrow');
      throw new Error(`order ${left} could be confirmed, and was not`);
    }
    await announceSales(
      tx,
      confirmed.map(({ seller_root }) => seller_root),
    );
    return { order_ids: ids, count: ids.length };
  },
});
