import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Id, Input, invalid, List, Nullable, Output, Paging, Type } from '../../kernel/schema.ts';
import { column, nullable, row, rows } from '../../platform/rows.ts';
import { REVIEW, Review, SELECT_REVIEWS } from './review.ts';

/** Reviews that an average counts: the newest. */
const RATED_MAX = 1_000;

export const listReviews = operation({
  name: 'list_reviews',
  title: 'List reviews',
  summary:
    'Lists reviews of a product on sale, or of all products of a seller, newest first, with the ' +
    'average: ratings of established buyers, each by the fee that its order paid. Free.',
  phrasings: `
    reviews of a product; what do buyers say; ratings of a seller; stars of product 12; feedback
    about a seller; is this product any good; read opinions before I buy; average rating; show
    customer reviews; bad reviews of this seller`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/reviews',
  bindings: { tool: 'by_name' },
  reads: { stale: true },
  refusals: ['not_found'],
  input: Input({
    product_id: Type.Optional(Id('The product.')),
    seller_id: Type.Optional(Id('The seller, in place of product_id.')),
    ...Paging,
  }),
  output: Output('ReviewList', {
    ...List('reviews', Review.schema).properties,
    average: Nullable(
      Type.Number({
        minimum: 1,
        maximum: 5,
        description: `Of the newest ${RATED_MAX}; null: no established buyer has rated.`,
      }),
    ),
    rated: Type.Integer({ description: 'Reviews that the average counts.' }),
  }),

  async handle({ db }, { product_id = null, seller_id = null, ...paging }) {
    if ((product_id === null) === (seller_id === null)) {
      const message = 'must be given, or seller_id, and not both';
      throw invalid([{ pointer: '/product_id', message }]);
    }
    const [onSale] = await rows(db, {}, ON_SALE_SQL, [product_id, seller_id]);
    if (!onSale) throw new Refusal('not_found', 'There is no such product or seller on sale.');
    const of = product_id === null ? 'r.seller_id' : 'r.product_id';
    const id = product_id ?? seller_id;
    const page = pageOf(paging);
    const found = await rows(
      db,
      REVIEW,
      `${SELECT_REVIEWS} where ${of} = $1 and r.hidden_at is null and r.order_id < $2::bigint
        order by r.order_id desc limit $3`,
      [id, page.before, page.limit + 1],
    );
    const { average, rated } = await row(
      db,
      { average: nullable(column.float), rated: column.int },
      `select round(sum(rating * fee) / sum(fee), 1)::float8 as average, count(*)::int as rated
         from (${SELECT_REVIEWS} where ${of} = $1 and r.hidden_at is null
                order by r.order_id desc limit ${RATED_MAX}) newest
        where established and fee > 0`,
      [id],
    );
    const { page: reviews, rest } = paged(found, page, 'order_id');
    return { reviews: reviews.map(Review.show), ...rest, average, rated };
  },
});

const ON_SALE_SQL = `
  select from product
   where status = 'approved' and active and (id = $1 or seller_id = $2) limit 1`;
