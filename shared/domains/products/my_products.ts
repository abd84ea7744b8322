import { selectedAgents, AgentFilter } from '../agents/tree/below.ts';
import { newestOf } from '../agents/tree/newest.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import { Input, List, Paging } from '../../kernel/schema.ts';
import { ProductView, selectListings, sellersViewOf } from './product_view.ts';

export const myProducts = operation({
  name: 'my_products',
  title: 'List my products',
  summary:
    'Lists the products that you sell, in every status, newest first. Change one with ' +
    'update_product, refill it with add_stock. Free.',
  phrasings: `
    listings of mine; what do I sell; status of my offers, are they approved; everything I have
    listed; are my listings live or in review; my shop, items I offer; my own catalogue; which
    of my offers are archived or pending; things I offer for sale; products of my own store;
    which of my listings were rejected or need review; seller dashboard; overview of my offers;
    product ids of mine; what am I selling at the moment; how many listings do I have; what have
    I put on the market; stuff I sell; my own items`,
  access: 'sell',
  mode: 'read',
  rest: 'GET /api/v1/products/mine',
  refusals: ['not_found'],
  input: Input({ ...AgentFilter, ...Paging }),
  output: List('products', ProductView),

  async handle(tx, { agent_id, below, ...paging }) {
    const agents = await selectedAgents(tx, {
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
