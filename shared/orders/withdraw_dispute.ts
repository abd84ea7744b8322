import { operation } from '../kernel/operation.ts';
import { Id, Input } from '../kernel/schema.ts';
import { closeDispute } from './disputes.ts';
import { OrderView } from './order_view.ts';
import { assertRole, assertStatus, lockOwnOrder, shownTo } from './own_orders.ts';
import { settle } from './settle.ts';

export const withdrawDispute = operation({
  name: 'withdraw_dispute',
  title: 'Withdraw a dispute',
  summary:
    'Ends your dispute in favour of the seller: the escrow is released at once. Final. Free.',
  access: 'buy',
  mode: 'write',
  domain: 'orders',
  rest: 'POST /api/v1/orders/:order_id/dispute/withdraw',
  destructive: true,
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({ order_id: Id('An order of yours in dispute.') }),
  output: OrderView,

  async handle(tx, { order_id }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'buyer');
    assertStatus(order, 'disputed');
    await closeDispute(tx.db, order, 'withdrawn');
    await settle(tx, [order], ({ subtotal }) => subtotal);
    return shownTo(tx, order_id);
  },
});
