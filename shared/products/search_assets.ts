import type { EntityManager } from 'typeorm';

import { fromUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Text, Type, Usd } from '../kernel/schema.ts';
import { clean } from '../kernel/text.ts';
import { column, row, rows } from '../platform/rows.ts';
import { ProductView, selectListings, viewOf } from './product_view.ts';
import { CATEGORIES, ON_SALE } from './products.ts';

/** No more matches than this are ranked: a common word must not rank the whole catalogue. */
const RANKED_MAX = 2_000;
/** Matches are first looked for among so many of the newest ids, and then among all. */
const NEWEST = 10_000;

export const searchAssets = operation({
  name: 'search_assets',
  title: 'Search products',
  summary:
    'Finds products on sale by words in their title and description, best match first; category ' +
    'and max_price narrow it. Free.',
  access: 'read',
  mode: 'read',
  domain: 'products',
  rest: 'GET /api/v1/products/search',
  core: true,
  input: Input({
    query: Text(1, 200, 'Words to look for. "quoted words" as a phrase, -word to leave out, or.'),
    category: Type.Optional(OneOf(CATEGORIES, 'Only of this category.')),
    max_price: Type.Optional(Usd('At most this many USD a unit, before the fee.')),
    ...Paging,
  }),
  output: List('products', ProductView),

  async handle({ db }, input) {
    const page = pageOf(input);
    // Ranks are no ids: these cursors hold how many were shown, of those that are ranked.
    const skip = input.cursor === undefined ? 0 : Number(page.before);
    const search: Search = {
      query: clean(input.query),
      category: input.category,
      maxPrice: input.max_price === undefined ? undefined : fromUsd(input.max_price).toString(),
      skip,
      limit: page.limit + 1,
    };
    const { words, newest } = await sizeOf(db, search.query);
    const ids = words > 0 ? await byWords(db, search, newest) : await byTitle(db, search);
    const found = ids.map((productId, n) => ({ id: skip + n + 1, productId }));
    const { page: shown, rest } = paged(found, page);
    const listings = await selectListings(
      db,
      `where p.id = any ($1::bigint[]) order by array_position($1::bigint[], p.id)`,
      [shown.map(({ productId }) => productId)],
    );
    return { products: listings.map(viewOf), ...rest };
  },
});

interface Search {
  readonly query: string;
  readonly category: string | undefined;
  readonly maxPrice: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** How many words there are to look up (of "the" or "?!" none), and the newest product's id. */
async function sizeOf(
  db: EntityManager,
  query: string,
): Promise<{ words: number; newest: number }> {
  return row(
    db,
    { words: column.int, newest: column.id },
    `select numnode(websearch_to_tsquery('english', $1)) as words,
            coalesce((select max(id) from product), 0) as newest`,
    [query],
  );
}

const NARROWED = `($2::text is null or p.category = $2) and ($3::bigint is null or p.price <= $3)`;

/**
 * The planner may scan from the newest product down, which is fastest for a common word; but it
 * takes "american european" for common, because each word is, and would scan the whole table for
 * the few that have both (450 ms of 200 000 products). So that scan is bounded, and the word index
 * finds the rest, by words that the planner does not know.
 */
async function byWords(db: EntityManager, search: Search, newest: number): Promise<number[]> {
  const found = await rows(
    db,
    { id: column.id },
    `with newer as materialized (
       select p.id, p.search from product p
        where p.id > $6::bigint and p.search @@ websearch_to_tsquery('english', $1)
          and ${ON_SALE} and ${NARROWED}
        order by p.id desc limit ${RANKED_MAX}),
     unknown as materialized (select websearch_to_tsquery('english', $1) as words),
     older as materialized (
       select p.id, p.search from product p
        where (select count(*) from newer) < ${RANKED_MAX}
          and p.id <= $6::bigint and p.search @@ (select words from unknown)
          and ${ON_SALE} and ${NARROWED}
        limit ${RANKED_MAX})
     select id from (table newer union all table older) as match
      order by ts_rank(search, websearch_to_tsquery('english', $1)) desc, id desc
      offset $4 limit $5`,
    [...parametersOf(search, search.query), newest - NEWEST],
  );
  return found.map(({ id }) => id);
}

/** Titles that start with the query, in the order of their index. */
async function byTitle(db: EntityManager, search: Search): Promise<number[]> {
  const start = search.query.replace(/[\\%_]/g, '\\$&');
  const found = await rows(
    db,
    { id: column.id },
    `select p.id from product p
      where lower(p.title) like lower($1) and ${ON_SALE} and ${NARROWED}
      order by lower(p.title) using ~<~, p.id desc offset $4 limit $5`,
    parametersOf(search, `${start}%`),
  );
  return found.map(({ id }) => id);
}

const parametersOf = ({ category, maxPrice, skip, limit }: Search, text: string) => [
  text,
  category ?? null,
  maxPrice ?? null,
  skip,
  limit,
];
