import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Type } from '../kernel/schema.ts';
import { ProductView, selectListings, viewOf } from './product_view.ts';
import { CATEGORIES, ON_SALE } from './products.ts';

export const listProducts = operation({
  name: 'list_products',
  title: 'List products',
  summary:
    'Lists the products on sale, newest first. Free. To find one by words, use search_assets.',
  access: 'read',
  mode: 'read',
  domain: 'products',
  rest: 'GET /api/v1/products',
  core: true,
  input: Input({
    category: Type.Optional(OneOf(CATEGORIES, 'Only of this category.')),
    ...Paging,
  }),
  output: List('products', ProductView),

  async handle({ db }, input) {
    const page = pageOf(input);
    const ofCategory = input.category === undefined ? '' : 'and p.category = $3';
    const found = await selectListings(
      db,
      `where ${ON_SALE} and p.id < $1::bigint ${ofCategory} order by p.id desc limit $2`,
      [page.before, page.limit + 1, ...(input.category === undefined ? [] : [input.category])],
    );
    const { page: shown, rest } = paged(found, page);
    return { products: shown.map(viewOf), ...rest };
  },
});
