import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, Text } from '../kernel/schema.ts';
import { execute } from '../platform/rows.ts';
import { Shown } from '../kernel/text.ts';
import { notifyParties } from './order_events.ts';
import { OrderView } from './order_view.ts';
import { assertRole, assertStatus, lockOwnOrder, shownTo } from './own_orders.ts';

export const respondDispute = operation({
  name: 'respond_dispute',
  title: 'Respond to a dispute',
  summary:
    'Answers the dispute of an order that you sold, once, so that an operator decides with both ' +
    'sides before them. Without an answer the buyer is refunded after 48 hours. Free.',
  access: 'sell',
  mode: 'write',
  domain: 'orders',
  rest: 'POST /api/v1/orders/:order_id/dispute/respond',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    order_id: Id('An order that you sold, in dispute.'),
    response: Shown(Text(1, 2000, 'Your side. The buyer and the operator read it.')),
  }),
  output: OrderView,

  async handle(tx, { order_id, response }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'seller');
    assertStatus(order, 'disputed');
    const answered = await execute(
      tx.db,
      `update dispute set response = $2, responded_at = now()
        where order_id = $1 and responded_at is null`,
      [order_id, response],
    );
    if (answered === 0) {
      throw new Refusal('invalid_transition', 'You answered this dispute before.');
    }
    await notifyParties(tx.db, [{ order, type: 'order.dispute_answered' }]);
    return shownTo(tx, order_id);
  },
});
