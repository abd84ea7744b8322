import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, OneOf, Text, Type } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { lockOrders } from '../orders/locked_orders.ts';
import { notifyParties } from '../orders/order_events.ts';
import { findModerated, ModeratedReview, REASON_CHARS_MAX } from './review.ts';

export const moderateReview = operation({
  name: 'moderate_review',
  title: 'Moderate a review',
  summary:
    'Hides a review from everybody but the parties of its order, who read the reason, or shows ' +
    'it again. The rating of a hidden one does not count. For operators.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/reviews/:order_id',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'order', field: 'order_id' }, idempotent: true },
  refusals: ['not_found'],
  input: Input({
    order_id: Id('The order of the review.'),
    decision: OneOf(['hide', 'show'], 'The decision.'),
    note: Type.Optional(
      PublicText(Text(1, REASON_CHARS_MAX, 'Why it is hidden. Both parties read it.')),
    ),
  }),
  output: ModeratedReview.schema,

  async handle({ db }, { order_id, decision, note = null }) {
    if ((decision === 'hide') !== (note !== null)) {
      const message = `must be ${note === null ? 'given' : 'absent'} for decision '${decision}'`;
      throw invalid([{ pointer: '/note', message }]);
    }
    const [order] = await lockOrders(db, [order_id]);
    const [before] = await findModerated(db, 'r.order_id = $1', [order_id]);
    if (!order || !before) throw new Refusal('not_found', `Order ${order_id} has no review.`);
    if (before.hidden_reason === note) return before;
    await execute(
      db,
      `update review set hidden_reason = $2, hidden_at = case when $2::text is not null
              then coalesce(hidden_at, now()) end
        where order_id = $1`,
      [order_id, note],
    );
    const type = decision === 'hide' ? 'order.review_hidden' : 'order.review_shown';
    await notifyParties(db, [{ order, type }]);
    const [after] = await findModerated(db, 'r.order_id = $1', [order_id]);
    return after!;
  },
});
