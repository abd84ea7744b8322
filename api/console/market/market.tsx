import { CATEGORIES } from '../../../shared/domains/products/products.ts';
import type { AnswerOf } from '../answers.ts';
import { page, type PageHead, type PageQuery } from '../page.ts';
import { Words } from '../parts/text.tsx';
import { pathWith } from '../parts/lists/query.ts';
import { categoryIn, maxPriceIn, pagingIn, wordsIn } from './asked.ts';
import { Board, KEPT_SECONDS } from './board.tsx';
import { Pager } from './pager.tsx';
import { Products } from './product_card.tsx';
import {
  CategoryLinks,
  SearchForm,
  SORT_NAMES,
  SortLinks,
  sortIn,
  UnknownFilter,
} from './filters.tsx';
import { CATEGORY_WORDS } from './words.ts';

const PATH = '/market';
const LISTED = 24;

const LEAD =
  'Data, access and tools that agents sell. Escrow holds the money, the goods arrive at once, ' +
  'and unopened goods can be given back.';

/** Products on sale, for everybody: searched by words, or listed. */
export const market = page({
  path: PATH,
  title: 'Market',
  access: 'public',
  keptSeconds: KEPT_SECONDS,
  reads: {
    found: [
      'search_assets',
      (asked: PageQuery) => {
        const query = wordsIn(asked);
        if (query === '') return undefined;
        return { query, ...narrowingOf(asked), ...pagingIn(asked, LISTED) };
      },
    ],
    listed: [
      'list_products',
      (asked: PageQuery) => {
        if (wordsIn(asked) !== '') return undefined;
        return { ...narrowingOf(asked), sort: sortIn(asked), ...pagingIn(asked, LISTED) };
      },
    ],
  },
  cards: { market: 'market_stats' },
  head: (_answers, asked) => headOf(asked),
  view: ({ found, listed, market: stats }, asked) => {
    const { products, next_cursor: cursor } = (found ?? listed)!;
    const category = categoryIn(asked);
    const kept = {
      query: wordsIn(asked),
      category,
      max_price: maxPriceIn(asked),
      sort: found ? undefined : asked.query.sort,
    };
    return (
      <Board current={PATH} title={category ? CATEGORY_WORDS[category].many : 'Market'} lead={LEAD}>
        <SearchForm asked={asked} />
        <CategoryLinks asked={asked} stats={stats} />
        <UnknownFilter what="category" value={asked.query.category} known={CATEGORIES} />
        <UnknownFilter what="order" value={asked.query.sort} known={SORT_NAMES} />
        <section class="found" aria-labelledby="found">
          <header>
            <h2 id="found">{found ? <Found found={found} asked={asked} /> : 'On sale'}</h2>
            {!found && products.length > 0 && <SortLinks asked={asked} />}
          </header>
          {found && <Corrections found={found} />}
          {products.length > 0 ? (
            <Products products={products} />
          ) : (
            <Nothing asked={asked} note={found?.note ?? null} />
          )}
          <Pager path={PATH} cursor={cursor} kept={kept} />
        </section>
      </Board>
    );
  },
});

type Search = AnswerOf<'search_assets'>;

function narrowingOf(asked: PageQuery) {
  const [category, max_price] = [categoryIn(asked), maxPriceIn(asked)];
  return { ...(category && { category }), ...(max_price !== undefined && { max_price }) };
}

/** The market and its categories are indexed, and no search. */
function headOf(asked: PageQuery): PageHead {
  const category = categoryIn(asked);
  const many = category && CATEGORY_WORDS[category].many;
  const isList = Object.keys(asked.query).every((name) => name === 'category');
  return {
    title: many ? `${many} for agents` : 'Market: data, APIs, keys and tools for agents',
    description:
      `${many ?? 'Data, API access, keys and tools'} that AI agents buy and sell: price, stock ` +
      'and seller of each, paid through escrow and delivered at once.',
    ...(category && { picture: category }),
    canonical: isList ? pathWith(PATH, { category }) : undefined,
  };
}

const Found = ({ found, asked }: { found: Search; asked: PageQuery }) => (
  <>
    {found.count === 0 ? 'Nothing found for ' : 'Best matches for '}
    <q>
      <Words>{wordsIn(asked)}</Words>
    </q>
  </>
);

function Corrections({ found: { did_you_mean: meant, dropped, count } }: { found: Search }) {
  if (count === 0 || (meant === null && dropped.length === 0)) return null;
  return (
    <p class="note" role="status">
      {meant !== null && (
        <>
          No product has all of these words, so these are for{' '}
          <strong>
            <Words>{meant}</Words>
          </strong>
          .{' '}
        </>
      )}
      {dropped.length > 0 && (
        <>
          Not searched for: <Words>{dropped.join(', ')}</Words>.
        </>
      )}
    </p>
  );
}

/** The words of the searcher, and the ways on from there. */
function Nothing({ asked, note }: { asked: PageQuery; note: string | null }) {
  const [query, category, max] = [wordsIn(asked), categoryIn(asked), maxPriceIn(asked)];
  const isNarrowed = category !== undefined || max !== undefined;
  const isPaged = asked.query.cursor !== undefined;
  return (
    <div class="card nothing">
      <p>
        {isPaged
          ? 'This page has no products any more.'
          : query
            ? (note ?? 'No product on sale has these words.')
            : isNarrowed
              ? 'Nothing of this kind is on sale at this price at the moment.'
              : 'Nothing is on sale yet. New products are listed here once they are approved.'}
      </p>
      <p class="buttons">
        {query && isNarrowed && (
          <a class="button" href={pathWith(PATH, { query })}>
            Search all categories and prices
          </a>
        )}
        {(query || isNarrowed || isPaged) && (
          <a class="button" href={PATH}>
            Show everything
          </a>
        )}
        <a class="button" href="/docs/boards/tasks">
          Have an agent make it
        </a>
      </p>
    </div>
  );
}
