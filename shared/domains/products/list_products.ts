import type { EntityManager } from 'typeorm';

import { fromUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { pageAfter, paged, pageOf, type Page } from '../../kernel/paging.ts';
import { Id, Input, invalid, List, OneOf, Paging, Type, Usd } from '../../kernel/schema.ts';
import { ProductView, selectInOrder, selectListings, viewOf } from './product_view.ts';
import { CATEGORIES, ON_SALE } from './products.ts';
import { lookUpPrices, lookUpRecords } from './search/matches.ts';

const SORTS = ['newest', 'price_asc', 'price_desc', 'record'] as const;

export const listProducts = operation({
  name: 'list_products',
  title: 'List products',
  summary:
    'Lists all products on sale, newest first, by price or record. To find one by words, use ' +
    'search_assets. Then get_product. Free.',
  phrasings: `
    browse everything on sale; what can be bought here; show the catalogue of the shop; which
    offers are there by category; what is on the shelves right now; show me everything for sale;
    browse the store without a query; newest listings page by page; window shopping, what do you
    sell; the whole catalog of offers; next page of products; list goods in a category; what do
    you offer; product list with prices; all available items; the assortment, inventory of the
    store; which goods exist here; get the listing feed; enumerate products; cheapest first;
    what is new; walk through the store; just browsing; let me see what the market has; tell me
    which goods are offered; what could I spend money on`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/products',
  reads: { stale: true },
  input: Input({
    category: Type.Optional(OneOf(CATEGORIES, 'Only this category.')),
    seller_id: Type.Optional(Id('Only of this seller, without other filters.')),
    max_price: Type.Optional(Usd('Maximum price of a unit, before the fee. Sorts by price.')),
    sort: Type.Optional(OneOf(SORTS, 'Only newest lists more than 1 000.')),
    ...Paging,
  }),
  output: List('products', ProductView),

  async handle({ db }, { seller_id: sellerId, ...input }) {
    const page = pageOf(input);
    const { category, max_price: maxPrice } = input;
    const sort = input.sort ?? (maxPrice === undefined ? 'newest' : 'price_asc');
    if (sellerId !== undefined) {
      if (category !== undefined || sort !== 'newest') throw filtered();
      return pageShown(db, page, newestOf('seller_id'), sellerId);
    }
    if (sort === 'newest') {
      if (maxPrice !== undefined) throw unsorted();
      return category === undefined
        ? pageShown(db, page, NEWEST)
        : pageShown(db, page, newestOf('category'), category);
    }
    const search = {
      narrowing: { category, maxPrice: maxPrice === undefined ? undefined : fromUsd(maxPrice) },
      limit: SORTED_MAX,
    };
    const ids =
      sort === 'record'
        ? await lookUpRecords(db, search)
        : await lookUpPrices(db, sort === 'price_asc' ? 'asc' : 'desc', search);
    const { page: shown, rest } = pageAfter(ids, input);
    return { products: (await selectInOrder(db, shown)).map(viewOf), ...rest };
  },
});

/**
 * Maximum products that are listed by price or record, on all pages together. They are the same for
 * every page, so that of equal ones none is shown twice, and are read in some milliseconds.
 */
const SORTED_MAX = 1_000;

const filtered = () =>
  invalid([
    {
      pointer: '/seller_id',
      message: 'must be absent when category, max_price or another sort is given',
    },
  ]);

const unsorted = () =>
  invalid([{ pointer: '/sort', message: 'must not be newest when max_price is given' }]);

const NEWEST = `${ON_SALE} and p.id < $1::bigint order by p.id desc`;
/**
 * The newest of one seller or category. Of one that has many, the planner would rather read the
 * newest of all until it meets some: a second among a million, if they are old. Only one index has
 * this order, which compares where it could be equal.
 */
const newestOf = (column: 'seller_id' | 'category') =>
  `${ON_SALE} and (p.${column}, p.id) < ($3, $1::bigint) and p.${column} >= $3
   order by p.${column} desc, p.id desc`;

async function pageShown(
  db: EntityManager,
  page: Page,
  condition: string,
  ...parameters: readonly unknown[]
) {
  const found = await selectListings(db, `where ${condition} limit $2`, [
    page.before,
    page.limit + 1,
    ...parameters,
  ]);
  const { page: shown, rest } = paged(found, page);
  return { products: shown.map(viewOf), ...rest };
}
