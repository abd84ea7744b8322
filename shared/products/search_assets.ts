import type { EntityManager } from 'typeorm';

import { fromUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, OneOf, Paging, Text, Type, Usd } from '../kernel/schema.ts';
import { clean } from '../kernel/text.ts';
import { CATEGORIES, ON_SALE, ProductView, SELECT_PRODUCTS, viewOf } from './products.ts';

/** No more matches than this are ranked: a common word must not rank the whole catalogue. */
const RANKED_MAX = 2_000;
/** They are looked for among so many of the newest ids first, and then among all. */
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
    const asked: Asked = {
      query: clean(input.query),
      category: input.category,
      maxPrice: input.max_price === undefined ? undefined : fromUsd(input.max_price).toString(),
      skip,
      limit: page.limit + 1,
    };
    const { words, newest } = await lookAt(db, asked.query);
    const ids = words > 0 ? await byWords(db, asked, newest) : await byTitle(db, asked);
    const found = ids.map((productId, n) => ({ id: skip + n + 1, productId }));
    const { page: shown, rest } = paged(found, page);
    const rows = await db.query(
      `${SELECT_PRODUCTS} where p.id = any ($1) order by array_position($1::int[], p.id)`,
      [shown.map(({ productId }) => productId)],
    );
    return { products: rows.map(viewOf), ...rest };
  },
});

interface Asked {
  readonly query: string;
  readonly category: string | undefined;
  readonly maxPrice: string | undefined;
  readonly skip: number;
  readonly limit: number;
}

/** How many words there are to look up (of "the" or "?!" none), and the newest product's id. */
async function lookAt(
  db: EntityManager,
  query: string,
): Promise<{ words: number; newest: number }> {
  const [row] = await db.query(
    `select numnode(websearch_to_tsquery('english', $1)) as words,
            coalesce((select max(id) from product), 0) as newest`,
    [query],
  );
  return row;
}

const NARROWED = `($2::text is null or p.category = $2) and ($3::bigint is null or p.price <= $3)`;

/**
 * The planner may walk from the newest product down, which is fastest for a common word; but it
 * takes "american european" for common, because each word is, and would walk through the whole
 * table for the few that have both (450 ms of 200 000 products). So that walk is bounded, and what
 * it leaves to be found is asked of the word index by words that the planner does not know.
 */
async function byWords(db: EntityManager, asked: Asked, newest: number): Promise<number[]> {
  const rows: { id: number }[] = await db.query(
    `with newer as materialized (
       select p.id, p.search from product p
        where p.id > $6::int and p.search @@ websearch_to_tsquery('english', $1)
          and ${ON_SALE} and ${NARROWED}
        order by p.id desc limit ${RANKED_MAX}),
     unknown as materialized (select websearch_to_tsquery('english', $1) as words),
     older as materialized (
       select p.id, p.search from product p
        where (select count(*) from newer) < ${RANKED_MAX}
          and p.id <= $6::int and p.search @@ (select words from unknown)
          and ${ON_SALE} and ${NARROWED}
        limit ${RANKED_MAX})
     select id from (table newer union all table older) as match
      order by ts_rank(search, websearch_to_tsquery('english', $1)) desc, id desc
      offset $4 limit $5`,
    [...parametersOf(asked, asked.query), newest - NEWEST],
  );
  return rows.map(({ id }) => id);
}

/** Titles that start with what was asked, in the order of their index. */
async function byTitle(db: EntityManager, asked: Asked): Promise<number[]> {
  const start = asked.query.replace(/[\\%_]/g, '\\$&');
  const rows: { id: number }[] = await db.query(
    `select p.id from product p
      where lower(p.title) like lower($1) and ${ON_SALE} and ${NARROWED}
      order by lower(p.title) using ~<~, p.id desc offset $4 limit $5`,
    parametersOf(asked, `${start}%`),
  );
  return rows.map(({ id }) => id);
}

const parametersOf = ({ category, maxPrice, skip, limit }: Asked, text: string) => [
  text,
  category ?? null,
  maxPrice ?? null,
  skip,
  limit,
];
