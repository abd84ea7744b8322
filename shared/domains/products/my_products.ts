import { selectedAgents, AgentFilter } from '../agents/tree/below.ts';
import { newestMany, newestOf, type Newest } from '../agents/tree/newest.ts';
import { operation } from '../../kernel/operation.ts';
import { CountedList, pageAfter, paged, pageOf } from '../../kernel/paging.ts';
import { Input, OneOf, Paging, Type } from '../../kernel/schema.ts';
import { compareNames } from '../../kernel/text.ts';
import { column, rows, type Database, type Row } from '../../platform/rows.ts';
import { ProductView, selectInOrder, selectListings, sellersViewOf } from './product_view.ts';
import { STATUSES } from './products.ts';

const SORTS = ['newest', 'oldest', 'price_desc', 'price_asc', 'title'] as const;

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
  input: Input({
    status: Type.Optional(OneOf(STATUSES, 'Only this status.')),
    ...AgentFilter,
    sort: Type.Optional(OneOf(SORTS, 'Sorts the newest 1 000.')),
    ...Paging,
  }),
  output: CountedList('OwnProductList', 'products', ProductView),

  async handle(tx, { status, agent_id, below, sort, ...paging }) {
    const agents = await selectedAgents(tx, {
      ...(agent_id && { agent_id }),
      ...(below && { below }),
    });
    const where = status && `status = '${status}'`;
    const list = { table: 'product', column: 'seller_id', where };
    const keys = sort && (await findKeys(tx.db, agents, list));
    const counted = keys && { total_count: keys.length };
    if (keys && sort !== 'newest') {
      const ids = keys.toSorted(COMPARE[sort]).map(({ id }) => id);
      const { page: shown, rest } = pageAfter(ids, paging);
      return {
        products: (await selectInOrder(tx.db, shown)).map(sellersViewOf),
        ...rest,
        ...counted,
      };
    }
    const page = pageOf(paging);
    const found = await selectListings(
      tx.db,
      `where p.id in (${newestOf(list)}) order by p.id desc limit $3`,
      [agents, page.before, page.limit + 1],
    );
    const { page: shown, rest } = paged(found, page);
    return { products: shown.map(sellersViewOf), ...rest, ...counted };
  },
});

const KEYS = { id: column.id, price: column.micros, title: column.text };
type Keys = Row<typeof KEYS>;

/** Sort keys of the newest products of these agents, newest first. */
function findKeys(db: Database, agents: readonly number[], list: Newest): Promise<Keys[]> {
  const { sql, parameters } = newestMany(agents, list);
  return rows(
    db,
    KEYS,
    `select id, price, title from product where id = any (array(${sql})) order by id desc`,
    parameters,
  );
}

/** Equal ones stay newest first. */
const COMPARE: Readonly<Record<(typeof SORTS)[number], (a: Keys, b: Keys) => number>> = {
  newest: (a, b) => b.id - a.id,
  oldest: (a, b) => a.id - b.id,
  price_desc: (a, b) => Number(b.price - a.price),
  price_asc: (a, b) => Number(a.price - b.price),
  title: (a, b) => compareNames(a.title, b.title),
};
