import { answerReview } from './answer_review.ts';
import { getReview } from './get_review.ts';
import { listReviews } from './list_reviews.ts';
import { reviewOrder } from './review_order.ts';

/** In the order in which tools are listed. */
export const OPERATIONS = [listReviews, reviewOrder, answerReview, getReview] as const;
