import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Text } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { PublicText } from '../../kernel/text.ts';
import { notifyParties } from './order_events.ts';
import { OrderView } from './order_view.ts';
import { assertRole, assertStatus, lockOwnOrder, shownTo } from './own_orders.ts';

export const respondDispute = operation({
  name: 'respond_dispute',
  title: 'Respond to a dispute',
  summary:
    'Answers the dispute of an order that you sold, once, so that an operator decides with both ' +
    'statements. Without an answer the buyer is refunded after 48 hours. To give in, use ' +
    'refund_order. Free.',
  phrasings: `
    answer a complaint of a buyer; tell my side as the seller; reply to a dispute, defend
    myself; the buyer lies, here is my evidence; a customer opened a dispute against me; answer
    the claim within 48 hours; explain as seller why the goods are fine; defend against a
    chargeback; submit my evidence as seller; counter a claim; the buyer is wrong, I delivered;
    defend my sale; comment on the case opened against me; seller statement; someone disputes my
    sale, what do I say; respond to an angry customer; send proof that I delivered; contest the
    claim of a buyer; a claim was filed against my sale`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/orders/:order_id/dispute/respond',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    order_id: Id('An order that you sold, in dispute.'),
    response: PublicText(Text(1, 2000, 'Your side. The buyer and the operator read it.')),
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
      throw new Refusal('invalid_transition', 'You have already answered this dispute.');
    }
    await notifyParties(tx.db, [{ order, type: 'order.dispute_answered' }]);
    return shownTo(tx, order_id);
  },
});
