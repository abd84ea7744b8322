import type { EntityManager } from 'typeorm';

import { column, rows } from '../../../platform/rows.ts';
import { ON_SALE } from '../products.ts';
import type { Token } from './query.ts';

/** A token of a query with its tsquery and frequency. */
export interface Term {
  readonly token: Token;
  /** A tsquery, as text. */
  readonly query: string;
  /** Number of products on sale that have it: counted up to COUNTED_MAX, or estimated. */
  readonly products: number;
  /** Share of all products that have it, 0 to 1; 0 if it is not one of the common words. */
  readonly share: number;
}

/** Maximum products counted that have a word, which takes half a millisecond. */
const COUNTED_MAX = 100;

/**
 * Reads the terms of tokens, in their order; none for a stop word such as "the". The planner's
 * statistics list the thousand most common words: any other word is in few products, which are
 * quickly counted.
 */
export async function readTerms(db: EntityManager, tokens: readonly Token[]): Promise<Term[]> {
  if (tokens.length === 0) return [];
  const found = await rows(
    db,
    { n: column.int, query: column.text, share: column.float, products: column.float },
    `with common as materialized (
       select word, share
         from pg_stats cross join unnest(most_common_elems::text::text[], most_common_elem_freqs)
              as most_common(word, share)
        where schemaname = 'public' and tablename = 'product' and attname = 'search'),
     catalogue as materialized (
       select greatest(reltuples, 0) as size, (select min(share) from common) as least_share
         from pg_class where oid = 'product'::regclass),
     term as materialized (
       select n, search.term(text, is_phrase) as query,
              (select coalesce(min(coalesce(share, 0)), 0)
                 from unnest(tsvector_to_array(to_tsvector('english', (search.forms(text)).plain)))
                      as own(word) left join common using (word)) as share
         from unnest($1::text[], $2::boolean[]) with ordinality as token(text, is_phrase, n))
     select n, query::text, share,
            case when share > 0 then share * size
                 when counted < ${COUNTED_MAX} then counted
                 else greatest(counted, least_share * size) end as products
       from term cross join catalogue
      cross join lateral (
        select case when share > 0 then 0 else (
          select count(*) from (
            select from product p where p.search @@ query and ${ON_SALE}
             limit ${COUNTED_MAX}) as found) end as counted) as own
      where numnode(query) > 0 order by n`,
    [tokens.map(({ text }) => text), tokens.map(({ isPhrase }) => isPhrase)],
  );
  return found.map(({ n, ...term }) => ({ ...term, token: tokens[n - 1]! }));
}

/** Builds a tsquery, as text, that matches products with at least `least` of these terms. */
export function atLeast(least: number, [first, ...others]: readonly Term[]): string {
  if (least === 0 || !first) return '';
  const withFirst = [`(${first.query})`, atLeast(least - 1, others)].filter(Boolean).join(' & ');
  return others.length < least ? withFirst : `(${withFirst} | ${atLeast(least, others)})`;
}
