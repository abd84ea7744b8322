import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { OrderView } from './order_view.ts';
import { assertRole, assertStatus, lockOwnOrder, shownTo } from './own_orders.ts';
import { settle } from './settle.ts';

export const confirmOrder = operation({
  name: 'confirm_order',
  title: 'Confirm an order',
  summary:
    'Releases the escrow of an order of yours to its seller at once, instead of at release_at. ' +
    'Final: it cannot be refunded or disputed afterwards. Free.',
  access: 'buy',
  mode: 'write',
  domain: 'orders',
  rest: 'POST /api/v1/orders/:order_id/confirm',
  destructive: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ order_id: Id('An order of yours in escrow.') }),
  output: OrderView,

  async handle(tx, { order_id }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'buyer');
    assertStatus(order, 'escrow');
    await settle(tx, [order], ({ subtotal }) => subtotal);
    return shownTo(tx, order_id);
  },
});
