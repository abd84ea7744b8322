import type { EntityManager } from 'typeorm';

import { column, execute, rows } from '../../../platform/rows.ts';
import { readTerms, type Term } from './terms.ts';

/** Maximum similar words looked up for one word. */
const SIMILAR_MAX = 4;
/** Maximum words of a query for which similar ones are looked up. */
const MISSPELT_MAX = 6;

/** Remembers the words of a title, so that searches that misspell them find them. */
export async function recordWords(db: EntityManager, title: string): Promise<void> {
  await execute(
    db,
    // In their order, or two sellers with the same new words could wait for each other.
    `insert into search_word (word, spellings)
     select distinct word, search.spellings(word)
       from string_to_table((search.forms($1)).plain, ' ') as word
      where length(word) between 3 and 24 and word ~ '[[:alpha:]]'
      order by word
     on conflict do nothing`,
    [title],
  );
}

/** Finds, for words that no product on sale has, the most likely words that products have. */
export async function findSimilar(
  db: EntityManager,
  terms: readonly Term[],
): Promise<Map<Term, Term>> {
  const misspelt = terms.filter(({ token }) => !token.isPhrase).slice(0, MISSPELT_MAX);
  if (misspelt.length === 0) return new Map();
  const similar = await rows(db, { n: column.int, word: column.text }, SIMILAR, [
    misspelt.map(({ token }) => token.text),
  ]);
  const found = await readTerms(
    db,
    similar.map(({ word }) => ({ text: word, isPhrase: false })),
  );
  const onSale = found.filter(({ products }) => products > 0);
  return new Map(
    misspelt.flatMap((term, n) => {
      const words = similar.filter((row) => row.n === n + 1).map(({ word }) => word);
      const best = onSale.find(({ token }) => words.includes(token.text));
      return best ? [[term, best] as const] : [];
    }),
  );
}

/**
 * SQL: words one letter apart, with the word as a prefix, or that are a prefix of it. For a short
 * word too many words are one letter apart, and people rarely mistype the first letter.
 */
const SIMILAR = `
  select n, likely.word
    from unnest($1::text[]) with ordinality as asked(text, n)
   cross join lateral (select (search.forms(text)).plain as word) as plain
   cross join lateral (
     select alike.word, shared, abs(length(alike.word) - length(plain.word)) as longer from (
       select w.word, shared
         from (select search.spellings(plain.word) as spellings) as own
         join search_word w on w.spellings && own.spellings
        cross join lateral (select count(*) as shared from unnest(w.spellings) as spelling
                             where spelling = any (own.spellings)) as counted
        where shared > 1 or length(plain.word) > 4 and left(w.word, 1) = left(plain.word, 1)
       union all
       select w.word, 0 from search_word w
        where w.word > plain.word and w.word < plain.word || chr(1114111)
       union all
       select w.word, 0 from generate_series(4, length(plain.word) - 1) as chars
         join search_word w on w.word = left(plain.word, chars)) as alike
      order by shared desc, longer, alike.word limit ${SIMILAR_MAX}) as likely
   where length(plain.word) between 4 and 24 and plain.word ~ '[[:alpha:]]'
   order by n, shared desc, longer, likely.word`;
