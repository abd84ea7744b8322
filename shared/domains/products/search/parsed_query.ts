import type { EntityManager } from 'typeorm';

import { parseQuery, written } from './query.ts';
import { findSimilar } from './spelling.ts';
import { readTerms, type Term } from './terms.ts';

/** Maximum words searched for: of more, the rarest ones. */
const TERMS_MAX = 5;

/** A query after the choice and the correction of its words. */
export interface ParsedQuery {
  /** The terms; none: all its words are stop words, or no product has any of them. */
  readonly terms: readonly Term[];
  /** Words that no product may have: a tsquery, as text. */
  readonly unwanted: string | undefined;
  /** Words that are not searched for. */
  readonly dropped: readonly string[];
  /** The query with other words in place of those that no product has. */
  readonly didYouMean: string | undefined;
}

export async function understand(db: EntityManager, text: string): Promise<ParsedQuery> {
  const { wanted, unwanted } = parseQuery(text);
  const read = await readTerms(db, [...wanted, ...unwanted]);
  const without = read.filter(({ token }) => unwanted.includes(token));
  const asked = unique(read.filter(({ token }) => wanted.includes(token)));
  const similar = await findSimilar(
    db,
    asked.filter(({ products }) => products === 0),
  );
  const meant = new Map(
    asked.map((term) => [term.token, term.products > 0 ? term : similar.get(term)]),
  );
  const known = unique([...meant.values()].filter((term) => term !== undefined));
  const rarestFirst = known.toSorted((a, b) => a.products - b.products);
  const unknown = asked.filter(({ token }) => !meant.get(token));
  const meantQuery = [
    ...wanted.map((token) => written(meant.get(token)?.token ?? token)),
    ...unwanted.map((token) => `-${written(token)}`),
  ];
  return {
    terms: rarestFirst.slice(0, TERMS_MAX),
    unwanted: without.map(({ query }) => `(${query})`).join(' | ') || undefined,
    dropped: [...unknown, ...rarestFirst.slice(TERMS_MAX)].map(({ token }) => written(token)),
    didYouMean: similar.size > 0 ? meantQuery.join(' ') : undefined,
  };
}

/** Words that are forms of one, such as "key keys", are one term. */
const unique = (terms: readonly Term[]): Term[] => [
  ...new Map(terms.map((term) => [term.query, term])).values(),
];
