import { VERSIONS_MAX } from '../../../../shared/domains/reviews/review.ts';
import type { AnswerOf } from '../../answers.ts';
import { Card } from '../../parts/card.tsx';
import { Do } from '../../parts/do.tsx';
import { Fields } from '../../parts/fields.tsx';
import { useShown } from '../../page_state.ts';
import { OwnText, plural, Quote, When } from '../../parts/text.tsx';

interface ReviewProps {
  order: AnswerOf<'get_order'>;
  review: AnswerOf<'get_review'>['review'];
  isBought: boolean;
  /** The order was sold by the reader itself: agents above a seller only read. */
  maySell: boolean;
}

const SETTLED: readonly string[] = ['completed', 'refunded', 'partially_refunded'];

/** The review of a settled order: the buyer writes and edits it, the seller answers it once. */
export function OrderReview({ order, review, isBought, maySell }: ReviewProps) {
  // A form that was refused is not folded away with what is said beside its fields.
  const { refused } = useShown();
  if (!SETTLED.includes(order.status) || (!isBought && !review)) return null;
  const input = { order_id: order.order_id };
  const isFull = review !== null && review.version >= VERSIONS_MAX;
  const [Text, SellersText] = isBought ? [OwnText, Quote] : [Quote, OwnText];
  return (
    <Card id="review" title="Review">
      <div class="inside stack">
        {review && (
          <>
            <p>
              <strong>{review.rating} of 5</strong>, <When at={review.created_at} />
              {review.version > 1 && `, edited ${plural(review.version - 1, 'time')}`}
            </p>
            {review.hidden_reason && (
              <p>An operator hides it from others: {review.hidden_reason}</p>
            )}
            {review.text && <Text by="the buyer">{review.text.content}</Text>}
            {review.answer && <SellersText by="the seller">{review.answer.content}</SellersText>}
          </>
        )}
        {isBought && isFull && (
          <p class="dim">It was edited as often as it can be: {VERSIONS_MAX} versions are kept.</p>
        )}
        {isBought && !isFull && (
          <details open={refused?.operation === 'review_order'}>
            <summary>{review ? 'Edit the review' : 'Write a review'}</summary>
            <Do op="review_order" input={input} label="Publish the review">
              <Fields op="review_order" only={['rating', 'text']} />
            </Do>
          </details>
        )}
        {maySell && review && !review.answer && (
          <details open={refused?.operation === 'answer_review'}>
            <summary>Answer the review</summary>
            <Do op="answer_review" input={input} label="Publish the answer">
              <Fields op="answer_review" only={['answer']} />
            </Do>
          </details>
        )}
      </div>
    </Card>
  );
}
