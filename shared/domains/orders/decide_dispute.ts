import { fromUsd, type Micros } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Output, Text, Time, Type, Usd } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { closeDisputes } from './disputes.ts';
import { assertStatus } from './own_orders.ts';
import { lockOrders, type LockedOrder } from './locked_orders.ts';
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
    refuseMismatch(verdict, seller_amount);
    const [order] = await lockOrders(tx.db, [order_id]);
    if (!order) throw new Refusal('not_found', `There is no order ${order_id}.`);
    assertStatus(order, 'disputed');
    const earned = earnedBy(order, verdict, seller_amount);
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
type Verdict = keyof typeof STATUS;

/** Refuses an amount without a split, or a split without an amount: the intent is unclear. */
function refuseMismatch(verdict: Verdict, sellerAmount: number | undefined): void {
  if ((verdict === 'split') === (sellerAmount !== undefined)) return;
  const message = `must be ${verdict === 'split' ? 'given' : 'absent'} for verdict '${verdict}'`;
  throw invalid([{ pointer: '/seller_amount', message }]);
}

function earnedBy({ subtotal }: LockedOrder, verdict: Verdict, sellerAmount = 0): Micros {
  if (verdict !== 'split') return verdict === 'release' ? subtotal : 0n;
  const earned = fromUsd(sellerAmount);
  if (earned > 0n && earned < subtotal) return earned;
  const message = 'must be more than 0 and less than the subtotal';
  throw invalid([{ pointer: '/seller_amount', message }]);
}
