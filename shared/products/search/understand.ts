import type { EntityManager } from 'typeorm';

import { parseQuery, written, type Token } from './query.ts';
import { findSimilar } from './spelling.ts';
import { readTerms, type Term } from './terms.ts';

/** Of more words than this, those that the fewest products have are searched for. */
const TERMS_MAX = 5;

/** What a query is taken for. */
export interface Understood {
  /** None: it has only words that are in every text, or no word that a product has. */
  readonly terms: readonly Term[];
  /** What no product may have: a tsquery, as text. */
  readonly unwanted: string | undefined;
  /** What of it is not searched for. */
  readonly dropped: readonly string[];
  /** The query with other words in place of those that no product has. */
  readonly didYouMean: string | undefined;
}

export async function understand(db: EntityManager, text: string): Promise<Understood> {
  const { wanted, unwanted } = parseQuery(text);
  const asked = await readTerms(db, [...wanted, ...unwanted]);
  const without = asked.filter(({ token }) => unwanted.includes(token));
  const unique = new Map(
    asked.filter(({ token }) => wanted.includes(token)).map((term) => [term.query, term]),
  );
  const missing = [...unique.values()].filter(({ products }) => products === 0);
  const similar = await findSimilar(db, missing);

  const meant = new Map<string, Term>();
  for (const term of unique.values()) {
    const other = term.products > 0 ? term : similar.get(term);
    if (other) meant.set(other.query, other);
  }
  const known = [...meant.values()].toSorted((a, b) => a.products - b.products);
  const left = known.slice(TERMS_MAX).map(({ token }) => token);
  const unknown = missing.filter((term) => !similar.has(term)).map(({ token }) => token);
  const replaced = new Map<Token, Token>(
    missing.flatMap((term) => {
      const other = similar.get(term);
      return other ? [[term.token, other.token] as const] : [];
    }),
  );
  return {
    terms: known.slice(0, TERMS_MAX),
    unwanted: without.map(({ query }) => `(${query})`).join(' | ') || undefined,
    dropped: [...unknown, ...left].map(written),
    didYouMean:
      replaced.size === 0
        ? undefined
        : [
            ...wanted.map((token) => written(replaced.get(token) ?? token)),
            ...unwanted.map((token) => `-${written(token)}`),
          ].join(' '),
  };
}
