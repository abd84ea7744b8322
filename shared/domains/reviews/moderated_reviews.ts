import { Id, Output } from '../../kernel/schema.ts';
import { rows, type Database } from '../../platform/rows.ts';
import {
  HIDDEN_FIELDS,
  hiddenOf,
  REVIEW,
  REVIEW_FIELDS,
  SELECT_REVIEWS,
  viewOf,
} from './review.ts';

/** A review as operators see it. It names the order and the seller. */
export const ModeratedReview = Output('ModeratedReview', {
  order_id: Id('The order.'),
  seller_id: Id('The seller.'),
  ...REVIEW_FIELDS,
  ...HIDDEN_FIELDS,
});

/** Finds reviews for operators. `where` is a condition and the clauses after it. */
export async function findModerated(db: Database, where: string, parameters: readonly unknown[]) {
  const found = await rows(db, REVIEW, `${SELECT_REVIEWS} where ${where}`, parameters);
  return found.map((review) => ({
    order_id: review.order_id,
    seller_id: review.seller_id,
    ...viewOf(review),
    ...hiddenOf(review),
  }));
}
