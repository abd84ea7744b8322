import type { EntityManager } from 'typeorm';

import { column, row, rows } from '../../../platform/rows.ts';
import { ON_SALE } from '../products.ts';
import { atLeast, type Term } from './terms.ts';

export interface Search {
  readonly terms: readonly Term[];
  readonly narrowing: SearchFilter;
  readonly limit: number;
}

/** Conditions on products beside the words. Only those given are in the statements. */
export interface SearchFilter {
  readonly category?: string | undefined;
  /** Maximum price in micro-dollars. */
  readonly maxPrice?: bigint | undefined;
  /** Words that a product may not have: a tsquery, as text. */
  readonly unwanted?: string | undefined;
}

export interface Match {
  readonly id: number;
  /** Number of the terms it has. */
  readonly matched: number;
}

const MATCH_COLUMNS = { id: column.id, matched: column.int };

/** Maximum products that are read one by one. */
const LOOKED_MAX = 4_000;
/** Maximum products found by the index that are ranked. */
export const RANKED_MAX = 1_500;

/** Whether the products of this category and price are few enough to read them all. */
export async function areFew(db: EntityManager, narrowing: SearchFilter): Promise<boolean> {
  if (narrowing.category === undefined && narrowing.maxPrice === undefined) return false;
  const { parameters, add } = openParameters();
  const { few } = await row(
    db,
    { few: column.boolean },
    `select count(*) <= ${LOOKED_MAX} as few
       from (select from product p where ${ON_SALE} ${narrowingSql(add, narrowing)}
              limit ${LOOKED_MAX + 1}) as found`,
    parameters,
  );
  return few;
}

/**
 * Finds products with at least `least` of the terms in the index. It does not know the positions of
 * words, so products with the words of a phrase are read and checked afterwards.
 */
export async function lookUp(
  db: EntityManager,
  { terms, narrowing, limit }: Search,
  least: number,
): Promise<Match[]> {
  const { parameters, add } = openParameters();
  const query = atLeast(least, terms);
  const words = query.replaceAll(/<(-|\d+)>/g, '&');
  // The query is hidden from the planner: from the frequency of each word it would conclude that
  // products with both "american" and "european" are common too, and scan the whole table.
  const sql = `
    with asked as materialized (select ${add(words)}::tsquery as query)
    select p.id, ${matchedOf(add, terms)} as matched
      from (select ${COLUMNS}, p.search from product p
             where ${ON_SALE} and p.search @@ (select query from asked) limit ${RANKED_MAX}) as p
      ${WITH_RECORD}
     where true ${words === query ? '' : `and p.search @@ ${add(query)}::tsquery`}
           ${narrowingSql(add, narrowing)}
     order by ${orderBy(add, terms)} limit ${add(limit)}`;
  return rows(db, MATCH_COLUMNS, sql, parameters);
}

/**
 * Finds products with any of the terms among the newest of the category and, if a maximum price is
 * given, among the cheapest. If they are few, among all of this category and price.
 */
export async function lookAt(
  db: EntityManager,
  { terms, narrowing, limit }: Search,
  isFew: boolean,
): Promise<Match[]> {
  const { parameters, add } = openParameters();
  const { category, maxPrice } = narrowing;
  const listed = (by: SearchFilter, order: string, max: number) =>
    `(select ${COLUMNS}, p.search from product p
       where ${ON_SALE} ${narrowingSql(add, by)} ${order} limit ${max})`;
  const products = isFew
    ? listed({ category, maxPrice }, '', LOOKED_MAX)
    : maxPrice === undefined
      ? listed({ category }, 'order by p.id desc', LOOKED_MAX)
      : `(${listed({ category }, 'order by p.id desc', LOOKED_MAX / 2)} union all
          ${listed({ category, maxPrice }, 'order by p.price', LOOKED_MAX / 2)})`;
  const sql = `
    select p.id, ${matchedOf(add, terms)} as matched
      from ${products} as p
      ${WITH_RECORD}
     where p.search @@ ${add(atLeast(1, terms))}::tsquery
           ${narrowingSql(add, narrowing)}
     order by ${orderBy(add, terms)} limit ${add(3 * limit)}`;
  return rows(db, MATCH_COLUMNS, sql, parameters);
}

/** Finds products whose title begins with this text, ordered by title. */
export async function lookUpTitles(
  db: EntityManager,
  start: string,
  { narrowing, limit }: Omit<Search, 'terms'>,
): Promise<number[]> {
  const { parameters, add } = openParameters();
  const pattern = `${start.replace(/[\\%_]/g, '\\$&')}%`;
  const sql = `
    select p.id
      from (select p.id, p.category, p.price, p.search, lower(p.title) as title from product p
             where ${ON_SALE} and lower(p.title) like lower(${add(pattern)})
             order by lower(p.title) using ~<~ limit ${LOOKED_MAX}) as p
     where true ${narrowingSql(add, narrowing)}
     order by p.title using ~<~, p.id desc limit ${add(limit)}`;
  return (await rows(db, { id: column.id }, sql, parameters)).map(({ id }) => id);
}

/**
 * Finds the cheapest products, or the most expensive; of equal prices the newest first. Only as
 * many as the limit are read, so of those at its end that have one price any may be left out.
 */
export async function lookUpPrices(
  db: EntityManager,
  order: 'asc' | 'desc',
  { narrowing, limit }: Omit<Search, 'terms'>,
): Promise<number[]> {
  const { parameters, add } = openParameters();
  const sql = `
    select p.id
      from (select p.id, p.price from product p where ${ON_SALE} ${narrowingSql(add, narrowing)}
             order by p.price ${order} limit ${limit}) as p
     order by p.price ${order}, p.id desc`;
  return (await rows(db, { id: column.id }, sql, parameters)).map(({ id }) => id);
}

/** Maximum sellers whose products are listed by record, and products of each. */
const SELLERS_MAX = 200;
const OF_SELLER_MAX = 50;
/** Maximum products that are looked at beside those. */
const NEWEST_MAX = 2_000;

/**
 * Finds products of the sellers of the best record, the newest of each first, and after them the
 * newest of all others, so that the list is not empty where nobody has a record yet.
 */
export async function lookUpRecords(
  db: EntityManager,
  { narrowing, limit }: Omit<Search, 'terms'>,
): Promise<number[]> {
  const { parameters, add } = openParameters();
  const most = add(limit);
  const { category, ...others } = narrowing;
  const sql = `
    with ranked as (
      select p.id, row_number() over (order by score desc, agent_id desc, p.id desc) as place
        from (select agent_id, score from agent_record where role = 'seller' and score > 0
               order by score desc, agent_id desc limit ${SELLERS_MAX}) as best
       cross join lateral (
         select p.id from product p
          where p.seller_id = best.agent_id and ${ON_SALE} ${narrowingSql(add, narrowing)}
          order by p.seller_id desc, p.id desc limit ${OF_SELLER_MAX}) as p
       order by place limit ${most}),
    newest as (
      select ${COLUMNS} from product p
       where ${ON_SALE} ${narrowingSql(add, { category })}
       order by p.id desc limit ${NEWEST_MAX})
    select p.id
      from (select id, place from ranked
            union all
            select p.id, null from newest p
             where p.id not in (select id from ranked) ${narrowingSql(add, others)}) p
     order by p.place nulls last, p.id desc limit ${most}`;
  return (await rows(db, { id: column.id }, sql, parameters)).map(({ id }) => id);
}

/** Adds a parameter of a statement and returns its name in the SQL. */
type Add = (value: unknown) => string;

function openParameters(): { parameters: unknown[]; add: Add } {
  const parameters: unknown[] = [];
  return { parameters, add: (value) => `$${parameters.push(value)}` };
}

function narrowingSql(add: Add, { category, maxPrice, unwanted }: SearchFilter): string {
  return [
    category !== undefined && `and p.category = ${add(category)}`,
    maxPrice !== undefined && `and p.price <= ${add(maxPrice.toString())}::bigint`,
    unwanted !== undefined && `and not p.search @@ ${add(unwanted)}::tsquery`,
  ]
    .filter(Boolean)
    .join(' ');
}

const matchedOf = (add: Add, terms: readonly Term[]): string =>
  terms.map(({ query }) => `(p.search @@ ${add(query)}::tsquery)::int`).join(' + ');

const COLUMNS = 'p.id, p.category, p.price, p.seller_id, p.quantity';
const WITH_RECORD = `
      left join agent_record r on r.agent_id = p.seller_id and r.role = 'seller'`;

/**
 * SQL: the order of products found: those with most terms first, sold out ones last of them, then
 * by rank. A word in the title weighs most; long texts rank lower. The record of the seller
 * multiplies that: by 1.5 where its deals have paid some $15 of fees lately, by 2 at $2 000.
 */
const orderBy = (add: Add, terms: readonly Term[]): string =>
  `matched desc, p.quantity is not distinct from 0,
   ts_rank(p.search, ${add(atLeast(1, terms))}::tsquery, 1)
     * (1 + ln(1 + coalesce(r.score, 0) / record_weight(now()) / 100000) / 10) desc, p.id desc`;
