import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Id, Input, List, Paging, Type } from '../../kernel/schema.ts';
import { findModerated, ModeratedReview } from './review.ts';

export const reviewsToModerate = operation({
  name: 'reviews_to_moderate',
  title: 'List reviews to moderate',
  summary:
    'Lists reviews, newest order first, also hidden ones: all, or those of an order, a product ' +
    'or a seller. For operators.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/reviews',
  bindings: { tool: false },
  input: Input({
    order_id: Type.Optional(Id('Only that of this order.')),
    product_id: Type.Optional(Id('Only those of this product.')),
    seller_id: Type.Optional(Id('Only those of this seller.')),
    hidden: Type.Optional(Type.Boolean({ description: 'True: only hidden ones. False: others.' })),
    ...Paging,
  }),
  output: List('reviews', ModeratedReview.schema),

  async handle({ db }, { hidden, ...input }) {
    const page = pageOf(input);
    const asked = Object.entries(FILTERS).flatMap(([name, sql]) => {
      const value = input[name as keyof typeof FILTERS];
      return value === undefined ? [] : [{ sql, value }];
    });
    const where = [
      'r.order_id < $1::bigint',
      ...asked.map(({ sql }, index) => `${sql} = $${index + 3}`),
      ...(hidden === undefined ? [] : [`r.hidden_at is ${hidden ? 'not null' : 'null'}`]),
    ].join(' and ');
    const found = await findModerated(db, `${where} order by r.order_id desc limit $2`, [
      page.before,
      page.limit + 1,
      ...asked.map(({ value }) => value),
    ]);
    const { page: reviews, rest } = paged(found, page, 'order_id');
    return { reviews, ...rest };
  },
});

/** SQL of each filter. */
const FILTERS = {
  order_id: 'r.order_id',
  product_id: 'r.product_id',
  seller_id: 'r.seller_id',
} as const;
