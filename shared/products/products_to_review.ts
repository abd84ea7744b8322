import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { ProductView, SELECT_PRODUCTS, sellersViewOf, STATUSES } from './products.ts';
import type { ProductRow } from './products.ts';

export const productsToReview = operation({
  name: 'products_to_review',
  title: 'List products to review',
  summary: 'Lists the products of one status, the longest listed first. For operators.',
  access: 'operator',
  mode: 'read',
  domain: 'products',
  rest: 'GET /api/v1/admin/products',
  tool: false,
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'pending_review if absent.')),
    ...Paging,
  }),
  output: List('products', ProductView),

  async handle({ db }, input) {
    const page = pageOf(input);
    // The other way round than all lists: who has waited longest comes first.
    const after = input.cursor === undefined ? 0 : page.before;
    const rows: ProductRow[] = await db.query(
      `${SELECT_PRODUCTS} where p.status = $1 and p.id > $2::bigint order by p.id limit $3`,
      [input.status ?? 'pending_review', after, page.limit + 1],
    );
    const { page: shown, rest } = paged(rows, page);
    return { products: shown.map(sellersViewOf), ...rest };
  },
});
