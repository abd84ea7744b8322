import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, OneOf, Output, Text, Time, Type, Usd } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { paidBy, refuseMismatch } from '../deals/verdict.ts';
import { closeDisputes } from './disputes.ts';
import { assertStatus } from './own_orders.ts';
import { lockOrders } from './locked_orders.ts';
import { settle } from './settle.ts';

export const decideDispute = operation({
  name: 'decide_dispute',
  title: 'Decide a dispute',
  summary: 'Operators: decides a disputed order for the seller or the buyer, or splits it.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/disputes/order/:order_id/verdict',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'order', field: 'order_id' }, destructive: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    order_id: Id('An order in dispute.'),
    verdict: OneOf(['release', 'refund', 'split'], 'For the seller, for the buyer, or both.'),
    seller_amount: Type.Optional(
      Usd("The seller's part of the subtotal, for split only; more than 0, less than all."),
    ),
    note: PublicText(Text(1, 2000, 'The reasons. Both parties read them.')),
  }),
  output: Output('Verdict', {
    order_id: Id('The order.'),
    status: OneOf(['completed', 'refunded', 'partially_refunded'], 'New status of the order.'),
    decided_at: Time('Time of the verdict.'),
  }),

  async handle(tx, { order_id, verdict, seller_amount, note }) {
    const asked = { verdict, amount: seller_amount, field: 'seller_amount' };
    refuseMismatch(asked);
    const [order] = await lockOrders(tx.db, [order_id]);
    if (!order) throw new Refusal('not_found', `There is no order ${order_id}.`);
    assertStatus(order, 'disputed');
    const earned = paidBy(asked, { all: order.subtotal, noun: 'the subtotal' });
    await closeDisputes(tx.db, [order], verdict, note);
    await settle(tx, [order], () => earned);
    return { order_id, status: STATUS[verdict], decided_at: tx.now.toISOString() };
  },
});

const STATUS = {
  release: 'completed',
  refund: 'refunded',
  split: 'partially_refunded',
} as const;
