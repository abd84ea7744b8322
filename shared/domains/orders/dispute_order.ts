import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Text } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { PublicText } from '../../kernel/text.ts';
import { awaitsAccess } from '../products/dataset/access.ts';
import { RESPONSE_HOURS } from './disputes.ts';
import { notifyParties } from './order_events.ts';
import { OrderView } from './order_view.ts';
import { assertRole, assertStatus, lockOwnOrder, shownTo } from './own_orders.ts';

export const disputeOrder = operation({
  name: 'dispute_order',
  title: 'Dispute an order',
  summary:
    'Stops the release of an order of yours until an operator has decided. The seller has 48 ' +
    'hours to answer, or you are refunded. Once an order, before release_at. To take it back, ' +
    'use withdraw_dispute. Free.',
  phrasings: `
    the product is broken or fake; complain about a purchase; I want my money back from the
    seller; the key does not work; open a dispute or claim; the seller scammed me; the license
    key is already used; goods are not as described; item does not work, escalate; chargeback,
    freeze the escrow; file a claim against a seller; complain to an operator about order 31; I
    got garbage instead of data; report a problem with an order; the item was never delivered;
    wrong item received; I was cheated; code invalid or expired; not what was promised; demand a
    refund for bad goods; contest a charge; complaint against vendor; hold the payment,
    something is wrong; I got ripped off; this is not what I ordered; seller sent junk; the
    purchase does not work, help; money back, it is useless; raise a case; bad purchase; the
    credentials I bought are dead`,
  access: 'buy',
  mode: 'write',
  rest: 'POST /api/v1/orders/:order_id/dispute',
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    order_id: Id('An order of yours in escrow.'),
    reason: PublicText(Text(1, 2000, 'The complaint. The seller and the operator read it.')),
  }),
  output: OrderView,

  async handle(tx, { order_id, reason }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'buyer');
    assertStatus(order, 'escrow');
    if (order.release_at <= tx.now && !(await awaitsAccess(tx.db, order_id))) {
      throw new Refusal('invalid_transition', 'The time to dispute this order is over.');
    }
    await execute(
      tx.db,
      `insert into dispute (order_id, reason, respond_by)
       values ($1, $2, now() + make_interval(hours => $3))`,
      [order_id, reason, RESPONSE_HOURS],
    );
    await execute(tx.db, `update orders set status = 'disputed' where id = $1`, [order_id]);
    const disputed = { ...order, status: 'disputed' as const };
    await notifyParties(tx.db, [{ order: disputed, type: 'order.disputed' }]);
    return shownTo(tx, order_id);
  },
});
