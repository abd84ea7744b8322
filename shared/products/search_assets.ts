import { fromUsd } from '../ledger/money.ts';
import { operation } from '../kernel/operation.ts';
import { paged, pageOf } from '../kernel/paging.ts';
import { Input, List, Nullable, OneOf, Output, Paging, Text, Type, Usd } from '../kernel/schema.ts';
import { clean } from '../kernel/text.ts';
import { execute } from '../platform/rows.ts';
import { ProductView, selectListings, viewOf } from './product_view.ts';
import { CATEGORIES } from './products.ts';
import { findProducts } from './search/find.ts';
import { lookUpTitles, type Narrowing } from './search/matches.ts';
import { understand, type Understood } from './search/understand.ts';

/** No more products than this are shown for one query, on all pages together. */
const FOUND_MAX = 1_000;
/** A search takes some 10 ms. */
const SEARCH_MS_MAX = 1_000;

export const searchAssets = operation({
  name: 'search_assets',
  title: 'Search products',
  summary:
    'Finds products on sale by words in their title, description, category and seller: those with ' +
    'most of the words first. category and max_price narrow it. Free.',
  access: 'read',
  mode: 'read',
  domain: 'products',
  rest: 'GET /api/v1/products/search',
  core: true,
  costly: true,
  input: Input({
    query: Text(1, 200, 'Words to look for. "quoted words" as a phrase, -word to leave out.'),
    category: Type.Optional(OneOf(CATEGORIES, 'Only of this category.')),
    max_price: Type.Optional(Usd('At most this many USD a unit, before the fee.')),
    ...Paging,
  }),
  output: Output('ProductSearch', {
    ...List('products', ProductView).properties,
    did_you_mean: Nullable(
      Type.String({
        description:
          'The query with other words for those that no product has. These products are for it.',
      }),
    ),
    dropped: Type.Array(Type.String(), {
      description: 'Words that were not looked for: no product has them, or there are too many.',
    }),
    note: Nullable(Type.String({ description: 'Why there are no products, if there are none.' })),
  }),

  async handle({ db }, input) {
    const page = pageOf(input);
    await execute(db, `select set_config('statement_timeout', '${SEARCH_MS_MAX}', true)`);
    const query = clean(input.query);
    const understood = await understand(db, query);
    const { terms, dropped, unwanted, didYouMean } = understood;
    const narrowing: Narrowing = {
      category: input.category,
      maxPrice: input.max_price === undefined ? undefined : fromUsd(input.max_price),
      unwanted,
    };
    // Ranks are no ids: these cursors hold how many were shown.
    const skip = input.cursor === undefined ? 0 : Number(page.before);
    const limit = Math.min(skip + page.limit + 1, FOUND_MAX);
    const ids =
      terms.length > 0
        ? await findProducts(db, { terms, narrowing, limit })
        : dropped.length > 0
          ? []
          : await lookUpTitles(db, query, { narrowing, limit });
    const found = ids.slice(skip).map((productId, n) => ({ id: skip + n + 1, productId }));
    const { page: shown, rest } = paged(found, page);
    const listings = await selectListings(
      db,
      `where p.id = any ($1::bigint[]) order by array_position($1::bigint[], p.id)`,
      [shown.map(({ productId }) => productId)],
    );
    return {
      products: listings.map(viewOf),
      ...rest,
      did_you_mean: didYouMean ?? null,
      dropped: [...dropped],
      note: ids.length > 0 ? null : noteOf(understood, input),
    };
  },
});

/** Why nothing was found. */
function noteOf(
  { terms, dropped }: Understood,
  { category, max_price: maxPrice }: Filters,
): string {
  if (terms.length === 0) {
    return dropped.length > 0
      ? `No product on sale has any of these words: ${dropped.join(', ')}.`
      : 'Every word of the query is in almost every text. Add one that says what you look for.';
  }
  const filters = [category && 'category', maxPrice !== undefined && 'max_price'].filter(Boolean);
  return filters.length > 0
    ? `Products have these words, but not with this ${filters.join(' and ')}. Ask without.`
    : 'No product has enough of these words. Ask for fewer.';
}

interface Filters {
  readonly category?: string;
  readonly max_price?: number;
}
