import { agentsAsked, OfAgents } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
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
  refusals: ['not_found'],
  input: Input({ ...OfAgents, ...Paging }),
  output: List('products', ProductView),

  async handle(tx, { agent_id, below, ...paging }) {
    const agents = await agentsAsked(tx, {
      ...(agent_id && { agent_id }),
      ...(below && { below }),
    });
    const page = pageOf(paging);
    const found = await selectListings(
      tx.db,
      `where p.id in (${newestOf({ table: 'product', column: 'seller_id' })}) order by p.id desc limit $3`,
      [agents, page.before, page.limit + 1],
    );
    const { page: shown, rest } = paged(found, page);
    return { products: shown.map(sellersViewOf), ...rest };
  },
});
