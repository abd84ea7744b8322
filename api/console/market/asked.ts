import { Refusal } from '../../../shared/kernel/refusal.ts';
import { CATEGORIES } from '../../../shared/domains/products/products.ts';
import { clean } from '../../../shared/kernel/text.ts';
import type { PageQuery } from '../page.ts';
import { given } from '../parts/lists/query.ts';
import { plainAmount } from '../words/texts.ts';

export const QUERY_CHARS_MAX = 200;
const PRICE_MAX = 1_000_000;

/** The number in the path. Refuses what is none as if there were nothing of that number. */
export function numberOf({ params }: PageQuery, what: string): number {
  const { id = '' } = params;
  if (!/^[1-9]\d{0,14}$/.test(id)) throw new Refusal('not_found', `There is no such ${what}.`);
  return Number(id);
}

/** The words that are searched for; empty: none. */
export const wordsIn = ({ query }: PageQuery): string =>
  clean((query.query ?? '').slice(0, QUERY_CHARS_MAX));

export const categoryIn = ({ query }: PageQuery) =>
  CATEGORIES.find((one) => one === query.category);

/** The maximum price in dollars, rounded to what has a name; undefined: none, or no number. */
export function maxPriceIn({ query }: PageQuery): number | undefined {
  const text = plainAmount(query.max_price ?? '');
  const price = Number(text);
  if (text === '' || !Number.isFinite(price) || price < 0) return undefined;
  return Number(Math.min(price, PRICE_MAX).toFixed(6));
}

/** The text of a maximum price that is no price. */
export const wrongPriceIn = (asked: PageQuery): string | undefined =>
  maxPriceIn(asked) === undefined ? asked.query.max_price?.trim() || undefined : undefined;

/** The paging field of an operation's input. */
export const pagingIn = ({ query }: PageQuery, limit: number) => ({
  limit,
  ...given(query, 'cursor'),
});
