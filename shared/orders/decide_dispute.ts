import { fromUsd, type Micros } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Output, Text, Time, Type, Usd } from '../kernel/schema.ts';
import { Shown } from '../kernel/text.ts';
import { closeDispute } from './disputes.ts';
import { assertStatus } from './own_orders.ts';
import { lockOrders, type LockedOrder } from './locked_orders.ts';
import { settle } from './settle.ts';

export const decideDispute = operation({
  name: 'decide_dispute',
  title: 'Decide a dispute',
  summary: 'Operators: decides a disputed order for the seller, for the buyer, or splits it.',
  access: 'operator',
  mode: 'write',
  domain: 'orders',
  rest: 'POST /api/v1/admin/disputes/order/:order_id/verdict',
  tool: false,
  actsOn: { kind: 'order', field: 'order_id' },
  destructive: true,
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    order_id: Id('An order in dispute.'),
    verdict: OneOf(['release', 'refund', 'split'], 'For the seller, for the buyer, or both.'),
    seller_amount: Type.Optional(
      Usd('Of a split: what of the subtotal the seller gets; more than 0, less than all.'),
    ),
    note: Shown(Text(1, 2000, 'The reasons. Both parties read them.')),
  }),
  output: Output('Verdict', {
    order_id: Id('The order.'),
    status: OneOf(['completed', 'refunded', 'partially_refunded'], 'What became of it.'),
    decided_at: Time('Now.'),
  }),

  async handle(tx, { order_id, verdict, seller_amount, note }) {
    refuseMismatch(verdict, seller_amount);
    const [order] = await lockOrders(tx.db, [order_id]);
    if (!order) throw new Refusal('not_found', `There is no order ${order_id}.`);
    assertStatus(order, 'disputed');
    const earned = earnedBy(order, verdict, seller_amount);
    await closeDispute(tx.db, order, verdict, note);
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

/** An amount beside another verdict: which of the two is meant? */
function refuseMismatch(verdict: Verdict, sellerAmount: number | undefined): void {
  if ((verdict === 'split') === (sellerAmount !== undefined)) return;
  const message = `is ${verdict === 'split' ? 'missing' : 'not'} for the verdict ${verdict}`;
  throw invalid([{ pointer: '/seller_amount', message }]);
}

function earnedBy({ subtotal }: LockedOrder, verdict: Verdict, sellerAmount = 0): Micros {
  if (verdict !== 'split') return verdict === 'release' ? subtotal : 0n;
  const earned = fromUsd(sellerAmount);
  if (earned > 0n && earned < subtotal) return earned;
  const message = 'must be more than 0 and less than the subtotal';
  throw invalid([{ pointer: '/seller_amount', message }]);
}
