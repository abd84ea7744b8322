import type { EntityManager } from 'typeorm';

import { areFew, lookAt, lookUp, RANKED_MAX, type Match, type Search } from './matches.ts';
import { atLeast, type Term } from './terms.ts';

/**
 * Maximum cost of a search in the index: ids read, each times the words and operators of the
 * tsquery that it is checked by. A million takes about 20 ms.
 */
const INDEX_COST_MAX = 1_000_000;
const READ_COST = 4;

/**
 * Finds up to `limit` products on sale that have at least half of the terms or, if none has, any of
 * them: those with the most terms first, then by rank. All such products are found if that is
 * quick: rare words are looked up in the index, and in a narrow category or price range all
 * products are read. Otherwise only the newest products are, and the cheapest if a maximum price is
 * given. The order does not depend on `limit`, so that pages fit together.
 */
export async function findProducts(db: EntityManager, search: Search): Promise<number[]> {
  const { terms, narrowing, limit } = search;
  const isNarrow = await areFew(db, narrowing);
  const found = new Set<number>();
  const add = (matches: readonly Match[]) => matches.forEach(({ id }) => found.add(id));
  let lookedAt: readonly Match[] | undefined;
  let budget = INDEX_COST_MAX;

  for (let least = terms.length; least > 0; least -= 1) {
    if (found.size > 0 && least < terms.length / 2) break;
    const cost = costOf(terms, least);
    const inIndex = !isNarrow && cost <= budget;
    if (!inIndex || isPlenty(terms, least)) {
      lookedAt ??= await lookAt(db, search, isNarrow);
      add(lookedAt.filter(({ matched }) => matched >= least));
    }
    if (inIndex && found.size < limit) {
      budget -= cost;
      add(await lookUp(db, { ...search, limit: limit + found.size }, least));
    }
    if (found.size >= limit) break;
  }
  return [...found].slice(0, limit);
}

/** The cost of a look-up: for `least` of the terms the index reads all products with a rare one. */
function costOf(terms: readonly Term[], least: number): number {
  const read = terms.toSorted(byProducts).slice(0, terms.length - least + 1);
  const ids = read.reduce((sum, { products }) => sum + products, 0);
  return ids * (READ_COST + atLeast(least, terms).split(' ').length);
}

/** Whether more products have `least` terms than are ranked, if words are independent. */
function isPlenty(terms: readonly Term[], least: number): boolean {
  const [rarest, ...others] = terms.toSorted(byProducts).slice(-least);
  return others.reduce((products, { share }) => products * share, rarest!.products) > RANKED_MAX;
}

const byProducts = (a: Term, b: Term) => a.products - b.products;
