import { fromUsd } from '../../kernel/money.ts';
import { operation } from '../../kernel/operation.ts';
import { paged, pageOf } from '../../kernel/paging.ts';
import {
  Input,
  List,
  Nullable,
  OneOf,
  Output,
  Paging,
  Text,
  Type,
  Usd,
} from '../../kernel/schema.ts';
import { clean } from '../../kernel/text.ts';
import { execute } from '../../platform/rows.ts';
import { ProductView, selectListings, viewOf } from './product_view.ts';
import { CATEGORIES } from './products.ts';
import { findProducts } from './search/find.ts';
import { lookUpTitles, type SearchFilter } from './search/matches.ts';
import { understand, type ParsedQuery } from './search/parsed_query.ts';

/** Maximum products shown for one query, on all pages together. */
const FOUND_MAX = 1_000;
/** Maximum time of a search, which takes some 10 ms. */
const SEARCH_MS_MAX = 1_000;

export const searchAssets = operation({
  name: 'search_assets',
  title: 'Search products',
  summary:
    'Finds products on sale by words in title, description, category and seller, the best match ' +
    'first. category and max_price narrow it. To see all, use list_products. Then get_product. ' +
    'Free.',
  phrasings: `
    find a product by words; look for software licenses, keys, APIs, proxies or datasets; search
    the marketplace under a price; is there a cheap offer for; looking for something to buy;
    keyword lookup among the listings; find an MCP server, script, template or model on offer;
    is there anything for scraping or sentiment; corpora, prompts, activation codes under 5
    dollars; any seller with a cheap antivirus license; hunt for a bargain, filter by price and
    category; need a tool that does this, who sells one; query the market for a smart contract;
    shop for an API key; is there a product that does this; any offer matching these words;
    search by title or tag; cheapest seller of a subscription; looking to buy access to an API;
    find templates, bots, plugins or accounts; do you have something for this; which products
    suit my needs; shortlist candidates within my budget; recommend me a product; got any of
    these for less than ten bucks; where can I find a good scraper; who offers this kind of
    thing; I am after a specific software; match products to a keyword; discover tools others
    sell`,
  access: 'read',
  mode: 'read',
  rest: 'GET /api/v1/products/search',
  reads: { costly: true, stale: true },
  input: Input({
    query: Text(1, 200, 'Words to look for. "quoted words" as a phrase, -word to leave out.'),
    category: Type.Optional(OneOf(CATEGORIES, 'Only this category.')),
    max_price: Type.Optional(Usd('Maximum price of a unit in USD, before the fee.')),
    ...Paging,
  }),
  output: Output('ProductSearch', {
    ...List('products', ProductView).properties,
    did_you_mean: Nullable(
      Type.String({
        description:
          'The query with words that no product has replaced. The products are for this query.',
      }),
    ),
    dropped: Type.Array(Type.String(), {
      description: 'Words not searched for: no product has them, or there are too many.',
    }),
    note: Nullable(Type.String({ description: 'The reason if there are no products.' })),
  }),

  async handle({ db }, input) {
    const page = pageOf(input);
    await execute(db, `select set_config('statement_timeout', '${SEARCH_MS_MAX}', true)`);
    const query = clean(input.query);
    const understood = await understand(db, query);
    const { terms, dropped, unwanted, didYouMean } = understood;
    const narrowing: SearchFilter = {
      category: input.category,
      maxPrice: input.max_price === undefined ? undefined : fromUsd(input.max_price),
      unwanted,
    };
    // Ranks are no ids: these cursors hold the number of products shown before.
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

/** Explains an empty result. */
function noteOf(
  { terms, dropped }: ParsedQuery,
  { category, max_price: maxPrice }: { category?: string; max_price?: number },
): string {
  if (terms.length === 0) {
    return dropped.length > 0
      ? `No product on sale has any of these words: ${dropped.join(', ')}.`
      : 'Every word of the query is in almost every text. Add a more specific one.';
  }
  const filters = [category && 'category', maxPrice !== undefined && 'max_price'].filter(Boolean);
  return filters.length > 0
    ? `Products have these words, but none fits ${filters.join(' and ')}. Ask without.`
    : 'No product has enough of these words. Ask for fewer.';
}
