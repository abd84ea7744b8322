import type { EntityManager } from 'typeorm';

import { column, row, rows } from '../../platform/rows.ts';
import { ON_SALE } from '../products.ts';
import { atLeast, type Term } from './terms.ts';

export interface Search {
  readonly terms: readonly Term[];
  readonly narrowing: Narrowing;
  readonly limit: number;
}

/** What a product must be beside having the words. Only what is asked is in the statements. */
export interface Narrowing {
  readonly category?: string | undefined;
  /** In micro-dollars. */
  readonly maxPrice?: bigint | undefined;
  /** What it may not have: a tsquery, as text. */
  readonly unwanted?: string | undefined;
}

export interface Match {
  readonly id: number;
  /** How many of the terms it has. */
  readonly matched: number;
}

const MATCH_COLUMNS = { id: column.id, matched: column.int };

/** Of products that are looked at one by one, at most so many are. */
const LOOKED_MAX = 4_000;
/** Of what the index finds, at most so many are ranked. */
export const RANKED_MAX = 1_500;

/** Whether there are so few products of this category and price that all can be looked at. */
export async function areFew(db: EntityManager, narrowing: Narrowing): Promise<boolean> {
  if (narrowing.category === undefined && narrowing.maxPrice === undefined) return false;
  const { parameters, add } = openParameters();
  const { few } = await row(
    db,
    { few: column.boolean },
    `select count(*) <= ${LOOKED_MAX} as few
       from (select from product p where ${ON_SALE} ${narrowed(add, narrowing)}
              limit ${LOOKED_MAX + 1}) as found`,
    parameters,
  );
  return few;
}

/**
 * Finds what has at least `least` of the terms in the index. That does not know where in a text a
 * word is, so what has the words of a phrase is read and judged after.
 */
export async function lookUp(
  db: EntityManager,
  { terms, narrowing, limit }: Search,
  least: number,
): Promise<Match[]> {
  const { parameters, add } = openParameters();
  const query = atLeast(least, terms);
  const words = query.replaceAll(/<(-|\d+)>/g, '&');
  // The planner may not know the words: by how common each is, it would take products that have
  // both "american" and "european" for common too, and look for them in the whole table.
  const sql = `
    with asked as materialized (select ${add(words)}::tsquery as query)
    select p.id, ${matchedOf(add, terms)} as matched
      from (select p.id, p.category, p.price, p.search from product p
             where ${ON_SALE} and p.search @@ (select query from asked) limit ${RANKED_MAX}) as p
     where true ${words === query ? '' : `and p.search @@ ${add(query)}::tsquery`}
           ${narrowed(add, narrowing)}
     order by matched desc, ${rankOf(add, terms)} desc, p.id desc limit ${add(limit)}`;
  return rows(db, MATCH_COLUMNS, sql, parameters);
}

/**
 * Finds what has any of the terms among the newest products of the category, and, if a
 * price is asked, among the cheapest. If they are few, among all of this category and price.
 */
export async function lookAt(
  db: EntityManager,
  { terms, narrowing, limit }: Search,
  isFew: boolean,
): Promise<Match[]> {
  const { parameters, add } = openParameters();
  const { category, maxPrice } = narrowing;
  const listed = (by: Narrowing, order: string, max: number) =>
    `(select p.id, p.category, p.price, p.search from product p
       where ${ON_SALE} ${narrowed(add, by)} ${order} limit ${max})`;
  const products = isFew
    ? listed({ category, maxPrice }, '', LOOKED_MAX)
    : maxPrice === undefined
      ? listed({ category }, 'order by p.id desc', LOOKED_MAX)
      : `(${listed({ category }, 'order by p.id desc', LOOKED_MAX / 2)} union all
          ${listed({ category, maxPrice }, 'order by p.price', LOOKED_MAX / 2)})`;
  const sql = `
    select p.id, ${matchedOf(add, terms)} as matched
      from ${products} as p
     where p.search @@ ${add(atLeast(1, terms))}::tsquery
           ${narrowed(add, narrowing)}
     order by matched desc, ${rankOf(add, terms)} desc, p.id desc limit ${add(3 * limit)}`;
  return rows(db, MATCH_COLUMNS, sql, parameters);
}

/** Products whose title begins with this text, in the order of their titles. */
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
     where true ${narrowed(add, narrowing)}
     order by p.title using ~<~, p.id desc limit ${add(limit)}`;
  return (await rows(db, { id: column.id }, sql, parameters)).map(({ id }) => id);
}

/** Adds a parameter of a statement and returns its name in the SQL. */
type Add = (value: unknown) => string;

function openParameters(): { parameters: unknown[]; add: Add } {
  const parameters: unknown[] = [];
  return { parameters, add: (value) => `$${parameters.push(value)}` };
}

function narrowed(add: Add, { category, maxPrice, unwanted }: Narrowing): string {
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

/** A word in the title weighs most; long texts are worth less. */
const rankOf = (add: Add, terms: readonly Term[]): string =>
  `ts_rank(p.search, ${add(atLeast(1, terms))}::tsquery, 1)`;
