import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, Paging } from '../kernel/schema.ts';
import { ProductView, selectListings, sellersViewOf } from './product_view.ts';

export const myProducts = operation({
  name: 'my_products',
  title: 'List my products',
  summary: 'Lists the products that you sell, in every status, newest first. Free.',
  access: 'sell',
  mode: 'read',
  domain: 'products',
  rest: 'GET /api/v1/products/mine',
  input: Input({ ...Paging }),
  output: List('products', ProductView),

  async handle({ db, caller }, input) {
    const page = pageOf(input);
    const found = await selectListings(
      db,
      `where p.seller_id = $1 and p.id < $2::bigint order by p.id desc limit $3`,
      [caller.agentId, page.before, page.limit + 1],
    );
    const { page: shown, rest } = paged(found, page);
    return { products: shown.map(sellersViewOf), ...rest };
  },
});
