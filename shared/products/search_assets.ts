import type { EntityManager } from 'typeorm';

import { fromUsd } from '../money.ts';
import { operation } from '../operation.ts';
import { paged, pageOf } from '../paging.ts';
import { Input, List, OneOf, Paging, Text, Type, Usd } from '../schema.ts';
import { clean } from '../text.ts';
import { CATEGORIES, ON_SALE, ProductView, SELECT_PRODUCTS, viewOf } from './products.ts';

/** Of more matches, the newest are ranked: a common word must not rank the whole catalogue. */
const RANKED_MAX = 2_000;

export const searchAssets = operation({
  name: 'search_assets',
  title: 'Search products',
  summary:
    'Finds products on sale by words in their title and description, best match first; category ' +
    'and max_price narrow it. Free.',
  access: 'read',
  mode: 'read',
  queue: 'products',
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
    // Ranks are no ids: these cursors hold how many were shown, of at most RANKED_MAX.
    const skip = input.cursor === undefined ? 0 : Number(page.before);
    const asked: Asked = {
      query: clean(input.query),
      category: input.category,
      maxPrice: input.max_price === undefined ? undefined : fromUsd(input.max_price).toString(),
      skip,
      limit: page.limit + 1,
    };
    const ids = (await hasWords(db, asked.query))
      ? await byWords(db, asked)
      : await byTitle(db, asked);
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

/**
 * Stop words and punctuation leave nothing to look up: "the", "C++" and "The Who" differ in that.
 */
async function hasWords(db: EntityManager, query: string): Promise<boolean> {
  const [row] = await db.query(`select numnode(websearch_to_tsquery('english', $1)) as n`, [query]);
  return row.n > 0;
}

const NARROWED = `${ON_SALE}
  and ($2::text is null or p.category = $2) and ($3::bigint is null or p.price <= $3)`;

async function byWords(db: EntityManager, asked: Asked): Promise<number[]> {
  const rows: { id: number }[] = await db.query(
    `with match as materialized (
       select p.id, p.search from product p
        where p.search @@ websearch_to_tsquery('english', $1) and ${NARROWED}
        order by p.id desc limit ${RANKED_MAX})
     select id from match
      order by ts_rank(search, websearch_to_tsquery('english', $1)) desc, id desc
      offset $4 limit $5`,
    parametersOf(asked, asked.query),
  );
  return rows.map(({ id }) => id);
}

/** Titles that start with what was asked, newest first. */
async function byTitle(db: EntityManager, asked: Asked): Promise<number[]> {
  const start = asked.query.replace(/[\\%_]/g, '\\$&');
  const rows: { id: number }[] = await db.query(
    `select p.id from product p where lower(p.title) like lower($1) and ${NARROWED}
      order by p.id desc offset $4 limit $5`,
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
