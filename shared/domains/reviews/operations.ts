import { answerReview } from './answer_review.ts';
import { getReview } from './get_review.ts';
import { listReviews } from './list_reviews.ts';
import { moderateReview } from './moderate_review.ts';
import { reviewOrder } from './review_order.ts';
import { reviewsToModerate } from './reviews_to_moderate.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [
  listReviews,
  reviewOrder,
  answerReview,
  getReview,
  reviewsToModerate,
  moderateReview,
] as const;
