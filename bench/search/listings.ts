import type { DataSource } from 'typeorm';

import { DEMO } from '../../local/demo/catalogue.ts';
import { CATEGORIES } from '../../shared/domains/products/products.ts';
import { column, execute, row } from '../../shared/platform/rows.ts';
import { MORE } from '../../test/products/search_queries.ts';

const WORDS = 3_000;
const LISTINGS_PER_STATEMENT = 50_000;

/**
 * Adds `listings` products on sale. Their words are as unevenly common as those of real texts, and
 * include the words that the tests search for.
 */
export async function addListings(
  owner: DataSource,
  sellerId: number,
  listings: number,
): Promise<void> {
  const words = vocabulary();
  await execute(owner, 'select setseed(0.5)');
  // Built at once after all inserts: row by row it takes many times as long.
  const { definition } = await row(
    owner,
    { definition: column.text },
    `select pg_get_indexdef('product_search'::regclass) as definition`,
  );
  await execute(owner, 'drop index product_search');
  for (let made = 0; made < listings; made += LISTINGS_PER_STATEMENT) {
    const count = Math.min(LISTINGS_PER_STATEMENT, listings - made);
    await execute(owner, MAKE, [sellerId, words, CATEGORIES, count]);
  }
  await execute(owner, `set maintenance_work_mem = '512MB'`);
  await execute(owner, definition);
  await execute(
    owner,
    `insert into search_word (word, spellings)
     select word, search.spellings(word) from unnest($1::text[]) as word
      where length(word) between 3 and 24 on conflict do nothing`,
    [words],
  );
  await execute(owner, 'vacuum analyze');
  await execute(owner, 'checkpoint');
}

/** Words by how common they are: those of the tests' listings, spread among made-up ones. */
function vocabulary(): string[] {
  const listed = [...DEMO, ...MORE.map(([title, description]) => ({ title, description }))] as {
    title: string;
    description: string;
  }[];
  const texts = listed.map(({ title, description }) => `${title} ${description}`);
  const real = [
    ...new Set(
      texts
        .join(' ')
        .toLowerCase()
        .match(/[a-z]{3,}/g),
    ),
  ];
  const every = Math.floor(WORDS / real.length);
  return Array.from({ length: WORDS }, (_, n) =>
    n % every === 0 && n / every < real.length ? real[n / every]! : madeUp(n),
  );
}

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu'.split(' ');

const madeUp = (n: number) =>
  [n % 20, Math.floor(n / 20) % 20, Math.floor(n / 400), (n * 7) % 20]
    .map((syllable) => SYLLABLES[syllable])
    .join('');

// Without + 0 * n, PostgreSQL would draw one sample for all rows, and they would share their words.
const MAKE = `
  insert into product (seller_id, root_id, seller_name, title, description, category, price,
                       stock_kind, status)
  select $1, $1, 'bench', title, description, ($3::text[])[1 + n % cardinality($3::text[])],
         10000 + floor(random() * 1e7)::int, 'unlimited', 'approved'
    from generate_series(1, $4::int) as n
   cross join lateral (
     select string_agg(($2::text[])[1 + floor(cardinality($2::text[]) * random() ^ 3)::int], ' ')
              filter (where nth <= 4) as title,
            string_agg(($2::text[])[1 + floor(cardinality($2::text[]) * random() ^ 3)::int], ' ')
              as description
       from generate_series(1, 14 + 0 * n) as nth) as words`;
