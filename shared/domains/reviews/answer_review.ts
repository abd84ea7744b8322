import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, Text } from '../../kernel/schema.ts';
import { PublicText } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { notifyParties } from '../orders/order_events.ts';
import { assertRole, lockOwnOrder } from '../orders/own_orders.ts';
import { findOwnReview, OwnReview, REVIEW_CHARS_MAX } from './review.ts';

export const answerReview = operation({
  name: 'answer_review',
  title: 'Answer a review',
  summary:
    'Answers the review of an order that you sold, once. Everybody reads the answer below the ' +
    'review. Free.',
  phrasings: `
    reply to a review; respond to feedback of a buyer; comment on a bad rating; thank a customer
    for a review; public answer to a review; defend my product against a review; my side of a
    one star review`,
  access: 'sell',
  mode: 'write',
  rest: 'POST /api/v1/orders/:order_id/review/answer',
  bindings: { tool: 'by_name' },
  refusals: ['not_found', 'forbidden', 'invalid_transition'],
  input: Input({
    order_id: Id('An order that you sold, with a review.'),
    answer: PublicText(Text(1, REVIEW_CHARS_MAX, 'Your answer. Everybody reads it.')),
  }),
  output: OwnReview,

  async handle(tx, { order_id, answer }) {
    const { order, role } = await lockOwnOrder(tx, order_id);
    assertRole(role, 'seller');
    const answered = await execute(
      tx.db,
      `update review set answer = $2, answered_at = now()
        where order_id = $1 and answered_at is null`,
      [order_id, answer],
    );
    const review = await findOwnReview(tx.db, order_id);
    if (!review) throw new Refusal('not_found', `Order ${order_id} has no review.`);
    if (answered === 0) {
      throw new Refusal('invalid_transition', 'You have already answered this review.');
    }
    await notifyParties(tx.db, [{ order, type: 'order.review_answered' }]);
    return review;
  },
});
