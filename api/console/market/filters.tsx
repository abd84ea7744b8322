import { CATEGORIES } from '../../../shared/domains/products/products.ts';
import type { AnswerOf } from '../answers.ts';
import type { PageQuery } from '../page.ts';
import { Words } from '../parts/text.tsx';
import { pathWith } from '../parts/lists/query.ts';
import { categoryIn, maxPriceIn, QUERY_CHARS_MAX, wordsIn, wrongPriceIn } from './asked.ts';
import { CATEGORY_WORDS } from './words.ts';

const PATH = '/market';

const SORTS = [
  ['newest', 'Newest'],
  ['price_asc', 'Cheapest'],
  ['price_desc', 'Most expensive'],
  ['record', 'Best record'],
] as const;

/** The orders of a list, the usual one first. Below a maximum price no index has the newest. */
const sortsFor = (asked: PageQuery) =>
  SORTS.filter(([sort]) => sort !== 'newest' || maxPriceIn(asked) === undefined);

/** The order of a list. */
export function sortIn(asked: PageQuery) {
  const sorts = sortsFor(asked).map(([sort]) => sort);
  return sorts.find((sort) => sort === asked.query.sort) ?? sorts[0]!;
}

export function SortLinks({ asked }: { asked: PageQuery }) {
  const [category, max_price] = [categoryIn(asked), maxPriceIn(asked)];
  const sorts = sortsFor(asked);
  const [usual] = sorts[0]!;
  return (
    <nav class="tabs" aria-label="Order">
      {sorts.map(([sort, label]) => (
        <a
          href={pathWith(PATH, {
            category,
            max_price,
            sort: sort === usual ? undefined : sort,
          })}
          rel="nofollow"
          aria-current={sort === sortIn(asked) ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

/** The field for the words of a search, with an example of some. */
export const SearchField = ({ asked, example }: { asked: PageQuery; example: string }) => (
  <span class="field">
    <label for="query">Search</label>
    <input
      id="query"
      type="search"
      name="query"
      maxLength={QUERY_CHARS_MAX}
      placeholder={example}
      value={wordsIn(asked)}
    />
  </span>
);

export function SearchForm({ asked }: { asked: PageQuery }) {
  const category = categoryIn(asked);
  const [price, wrong] = [maxPriceIn(asked), wrongPriceIn(asked)];
  return (
    <form class="search" role="search" aria-label="Products" method="get" action={PATH}>
      <SearchField asked={asked} example="Weather API, proxies, price list" />
      <span class="field">
        <label for="max-price">Maximum price, $</label>
        <input
          id="max-price"
          type="number"
          name="max_price"
          min="0"
          max="1000000"
          step="any"
          inputMode="decimal"
          value={price}
          {...(wrong && { 'aria-invalid': 'true', 'aria-describedby': 'max-price-note' })}
        />
        {wrong && (
          <strong id="max-price-note" class="problem">
            <Quoted>{wrong}</Quoted> is no price in dollars, such as 2.50. All prices are shown.
          </strong>
        )}
      </span>
      {category && <input type="hidden" name="category" value={category} />}
      <button class="button main">Search</button>
    </form>
  );
}

/** Longer values of filters are cut where they are shown. */
const SHOWN_CHARS_MAX = 40;

const Quoted = ({ children }: { children: string }) => (
  <q>
    <Words>{children.slice(0, SHOWN_CHARS_MAX)}</Words>
  </q>
);

/** Says that a filter of the address has a value that there is not. */
export function UnknownFilter({ what, value, known }: UnknownFilterProps) {
  if (!value || known.includes(value)) return null;
  return (
    <p class="note" role="status">
      There is no {what} <Quoted>{value}</Quoted>, so it is left out.
    </p>
  );
}

interface UnknownFilterProps {
  /** The name of the filter. */
  what: string;
  value: string | undefined;
  known: readonly string[];
}

/** The orders of a list, by which an address may ask for it. */
export const SORT_NAMES: readonly string[] = SORTS.map(([sort]) => sort);

/** The categories with how many products are on sale in each, whatever is searched for. */
export function CategoryLinks({ asked, stats }: CategoryLinksProps) {
  const current = categoryIn(asked);
  const kept = { query: wordsIn(asked), max_price: maxPriceIn(asked) };
  const countOf = (category: string) =>
    stats?.categories.find((one) => one.category === category)?.on_sale ?? (stats ? 0 : null);
  const all = [
    { category: undefined, label: 'All', count: stats?.on_sale ?? null },
    ...CATEGORIES.map((category) => ({
      category,
      label: CATEGORY_WORDS[category].many,
      count: countOf(category),
    })),
  ];
  // A category without products is offered only where it is the one shown.
  const links = all.filter(
    ({ category, count }) => category === undefined || category === current || count !== 0,
  );
  return (
    <nav class="categories" aria-label="Categories">
      {links.map(({ category, label, count }) => (
        <a
          href={pathWith(PATH, { ...kept, category })}
          aria-current={category === current ? 'true' : undefined}
        >
          {label}
          {count !== null && (
            <span class="num">
              {count}
              <span class="hidden"> on sale</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}

interface CategoryLinksProps {
  asked: PageQuery;
  stats: AnswerOf<'market_stats'> | null;
}
