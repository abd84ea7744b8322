import { Id, Nullable, Output, Text, Time, Type, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { column, nullable, rows, type Database, type Row } from '../../platform/rows.ts';

/** Maximum versions of a review: the first and its edits. */
export const VERSIONS_MAX = 20;
export const REVIEW_CHARS_MAX = 1_000;
export const REASON_CHARS_MAX = 500;

export const Rating = Type.Integer({ minimum: 1, maximum: 5, description: '5 is best.' });

/** A review as everybody sees it. It names no buyer. */
export const REVIEW_FIELDS = {
  product_id: Id('The product bought.'),
  rating: Rating,
  text: Nullable(Untrusted('The words of the buyer.')),
  established: Type.Boolean({
    description: "The buyer is established (see seller_record). Others' ratings do not count.",
  }),
  version: Type.Integer({ description: '1, and 1 more for each edit.' }),
  created_at: Time('Time of the first version.'),
  answer: Nullable(Untrusted("The seller's answer.")),
  answered_at: Nullable(Time('Time of the answer.')),
};
export const ReviewView = Output('Review', REVIEW_FIELDS);

/** The part that operators and the parties of the order see besides. */
export const HIDDEN_FIELDS = {
  hidden_at: Nullable(Time('Time since which an operator hides it from others; null: shown.')),
  hidden_reason: Nullable(Type.String({ description: "The operator's reason." })),
};

/** The same for the parties of its order. */
export const OwnReview = Output('OwnReview', {
  ...REVIEW_FIELDS,
  order_id: Id('The order.'),
  receipt_id: Nullable(Id('The receipt of the order; null: not issued yet.')),
  ...HIDDEN_FIELDS,
  earlier: Type.Array(
    Output('EarlierReview', {
      rating: Rating,
      text: Nullable(Untrusted('The words of the buyer.')),
      created_at: Time('Time of this version.'),
    }),
    { maxItems: VERSIONS_MAX, description: 'Versions before, oldest first.' },
  ),
});

export const TextOfReview = Text(0, REVIEW_CHARS_MAX, 'Your words. Everybody reads them.');

export const REVIEW = {
  order_id: column.id,
  product_id: column.id,
  seller_id: column.id,
  rating: column.int,
  text: column.text,
  established: column.boolean,
  fee: column.micros,
  version: column.int,
  created_at: column.time,
  answer: nullable(column.text),
  answered_at: nullable(column.time),
  hidden_at: nullable(column.time),
  hidden_reason: nullable(column.text),
};
type Review = Row<typeof REVIEW>;

/** SQL: reviews `r`, and whether their buyers count for the seller. */
export const SELECT_REVIEWS = `
  select r.order_id, r.product_id, r.seller_id, r.rating, r.text, r.fee, r.version, r.created_at,
         r.answer, r.answered_at, r.hidden_at, r.hidden_reason,
         coalesce(p.counts, false) as established
    from review r
    left join record_pair p
      on (p.agent_id, p.role, p.other_root) = (r.seller_id, 'seller', r.buyer_root)`;

export const viewOf = (review: Review) => ({
  product_id: review.product_id,
  rating: review.rating,
  text: wordsOf(review.text),
  established: review.established,
  version: review.version,
  created_at: review.created_at.toISOString(),
  answer: review.answer === null ? null : untrusted(review.answer),
  answered_at: review.answered_at?.toISOString() ?? null,
});

export const hiddenOf = ({ hidden_at, hidden_reason }: Review) => ({
  hidden_at: hidden_at?.toISOString() ?? null,
  hidden_reason,
});

const wordsOf = (text: string) => (text === '' ? null : untrusted(text));

/** Returns the review of an order for its parties; undefined: there is none. */
export async function findOwnReview(db: Database, orderId: number) {
  const [review] = await rows(db, REVIEW, `${SELECT_REVIEWS} where r.order_id = $1`, [orderId]);
  if (!review) return undefined;
  const earlier = await rows(
    db,
    { rating: column.int, text: column.text, created_at: column.time },
    `select rating, text, created_at from review_version
      where order_id = $1 and version < $2 order by version`,
    [orderId, review.version],
  );
  const [receipt] = await rows(
    db,
    { id: column.id },
    `select id from receipt where kind = 'order' and object_id = $1`,
    [orderId],
  );
  return {
    ...viewOf(review),
    order_id: orderId,
    receipt_id: receipt?.id ?? null,
    ...hiddenOf(review),
    earlier: earlier.map(({ text, created_at, ...one }) => ({
      ...one,
      text: wordsOf(text),
      created_at: created_at.toISOString(),
    })),
  };
}
