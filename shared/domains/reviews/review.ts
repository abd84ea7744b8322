import { Nullable, Output, Text, Type, Untrusted } from '../../kernel/schema.ts';
import { untrusted } from '../../kernel/text.ts';
import { field, view } from '../../kernel/view.ts';
import { column, rows, type Database } from '../../platform/rows.ts';

/** Maximum versions of a review: the first and its edits. */
export const VERSIONS_MAX = 20;
export const REVIEW_CHARS_MAX = 1_000;
export const REASON_CHARS_MAX = 500;

export const Rating = Type.Integer({ minimum: 1, maximum: 5, description: '5 is best.' });

const rating = field.asIs(Rating, column.int);
const words = {
  schema: Nullable(Untrusted('The words of the buyer.')),
  column: column.text,
  show: (text: string) => (text === '' ? null : untrusted(text)),
};

/** A review as everybody sees it. It names no buyer. */
const REVIEW_FIELDS = {
  product_id: field.id('The product bought.'),
  rating,
  text: words,
  established: field.flag(
    "The buyer is established (see seller_record). Others' ratings do not count.",
  ),
  version: field.whole('1, and 1 more for each edit.'),
  created_at: field.time('Time of the first version.'),
  answer: field.orNull(field.untrusted("The seller's answer.")),
  answered_at: field.orNull(field.time('Time of the answer.')),
};
export const Review = view('Review', REVIEW_FIELDS);

/** The part that operators and the parties of the order see besides. */
const HIDDEN_FIELDS = {
  hidden_at: field.orNull(
    field.time('Time since which an operator hides it from others; null: shown.'),
  ),
  hidden_reason: field.orNull(field.text("The operator's reason.")),
};

/** A review as operators see it. It names the order and the seller. */
export const ModeratedReview = view('ModeratedReview', {
  order_id: field.id('The order.'),
  seller_id: field.id('The seller.'),
  ...REVIEW_FIELDS,
  ...HIDDEN_FIELDS,
});

const EARLIER = view('EarlierReview', {
  rating,
  text: words,
  created_at: field.time('Time of this version.'),
});

/** The same for the parties of its order. */
const OWN = view('OwnReview', {
  ...REVIEW_FIELDS,
  order_id: field.id('The order.'),
  receipt_id: field.orNull(field.id('The receipt of the order; null: not issued yet.')),
  ...HIDDEN_FIELDS,
});
export const OwnReview = Output('OwnReview', {
  ...OWN.schema.properties,
  earlier: Type.Array(EARLIER.schema, {
    maxItems: VERSIONS_MAX,
    description: 'Versions before, oldest first.',
  }),
});

export const TextOfReview = Text(0, REVIEW_CHARS_MAX, 'Your words. Everybody reads them.');

export const REVIEW = { ...ModeratedReview.columns, fee: column.micros };

/** SQL: reviews `r`, and whether their buyers count for the seller. */
export const SELECT_REVIEWS = `
  select r.order_id, r.product_id, r.seller_id, r.rating, r.text, r.fee, r.version, r.created_at,
         r.answer, r.answered_at, r.hidden_at, r.hidden_reason,
         coalesce(p.counts, false) as established
    from review r
    left join record_pair p
      on (p.agent_id, p.role, p.other_root) = (r.seller_id, 'seller', r.buyer_root)`;

/** Finds reviews for operators. `where` is a condition and the clauses after it. */
export async function findModerated(db: Database, where: string, parameters: readonly unknown[]) {
  const found = await rows(db, REVIEW, `${SELECT_REVIEWS} where ${where}`, parameters);
  return found.map(ModeratedReview.show);
}

/** Returns the review of an order for its parties; undefined: there is none. */
export async function findOwnReview(db: Database, orderId: number) {
  const [review] = await rows(db, REVIEW, `${SELECT_REVIEWS} where r.order_id = $1`, [orderId]);
  if (!review) return undefined;
  const earlier = await rows(
    db,
    EARLIER.columns,
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
    ...OWN.show({ ...review, receipt_id: receipt?.id ?? null }),
    earlier: earlier.map(EARLIER.show),
  };
}
