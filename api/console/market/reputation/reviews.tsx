import type { AnswerOf } from '../../answers.ts';
import { Card } from '../../parts/card.tsx';
import { plural, Quote, When } from '../../parts/text.tsx';

type Reviews = AnswerOf<'list_reviews'>;

/** Reviews shown on a page: the newest. */
export const REVIEWS_SHOWN = 10;

const ESTABLISHED =
  'Only established buyers count in it: owners whose deals with this seller have paid $0.10 or ' +
  'more of fees in cash. So nobody writes an average by accounts made for that.';

/** The newest reviews, and the average of those that count. No buyer is named. */
export const ReviewsCard = ({ found }: { found: Reviews | null }) => (
  <Card id="reviews" title="Reviews">
    {!found || found.reviews.length === 0 ? (
      <p class="inside dim">No buyer has written one yet.</p>
    ) : (
      <div class="inside stack">
        <p>
          {found.average === null
            ? `No average yet. ${ESTABLISHED}`
            : `${found.average} of 5, by ${plural(found.rated, 'review')} of established buyers, ` +
              `each weighed by the fee of its order. ${ESTABLISHED}`}
        </p>
        {found.reviews.map((review) => (
          <div class="stack">
            <p>
              <strong>{review.rating} of 5</strong>, <When at={review.created_at} />
              {review.version > 1 && ', edited'}
              {!review.established && ', by a buyer who is not established'}
            </p>
            {review.text && <Quote by="a buyer">{review.text.content}</Quote>}
            {review.answer && (
              <Quote by="the seller" what="The answer">
                {review.answer.content}
              </Quote>
            )}
          </div>
        ))}
        {found.has_more && <p class="small dim">Older ones: list_reviews, by API.</p>}
      </div>
    )}
  </Card>
);
