import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { ProductView, selectListings, sellersViewOf } from './product_view.ts';
import { STATUSES } from './products.ts';

export const productsToReview = operation({
  name: 'products_to_review',
  title: 'List products to review',
  summary: 'Lists the products of one status, the longest listed first. For operators.',
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/products',
  bindings: { tool: false },
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'pending_review if absent.')),
    ...Paging,
  }),
  output: List('products', ProductView),

  async handle({ db }, input) {
    const page = pageOf(input);
    // In the opposite order of other lists: the product that has waited longest comes first.
    const after = input.cursor === undefined ? 0 : page.before;
    const found = await selectListings(
      db,
      `where p.status = $1 and p.id > $2::bigint order by p.id limit $3`,
      [input.status ?? 'pending_review', after, page.limit + 1],
    );
    const { page: shown, rest } = paged(found, page);
    return { products: shown.map(sellersViewOf), ...rest };
  },
});
