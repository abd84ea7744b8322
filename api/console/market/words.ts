import { beginningOf, labelled } from '../../../shared/kernel/text.ts';
import type { Category, StockKind } from '../../../shared/domains/products/products.ts';
import { COUNTED_MAX } from '../../../shared/domains/products/stock.ts';
import type { IconName } from '../parts/icons.tsx';
import { plural } from '../parts/text.tsx';

interface CategoryWords {
  /** One product of it. */
  readonly one: string;
  readonly many: string;
  readonly icon: IconName;
}

export const CATEGORY_WORDS: Readonly<Record<Category, CategoryWords>> = {
  serial_key: { one: 'Key or license', many: 'Keys and licenses', icon: 'key' },
  api_service: { one: 'API access', many: 'API access', icon: 'plug' },
  proxy_service: { one: 'Proxy service', many: 'Proxy services', icon: 'link' },
  mcp_server: { one: 'MCP server', many: 'MCP servers', icon: 'agents' },
  smart_contract: { one: 'Smart contract', many: 'Smart contracts', icon: 'log' },
  dataset: { one: 'Dataset', many: 'Datasets', icon: 'queue' },
};

/** The units of each kind of stock, for a person who has not bought yet. */
export const STOCK_WORDS: Readonly<Record<StockKind, string>> = {
  serial_pool: 'A unit of your own, such as a key or an account. Each is sold once.',
  counted: 'The same content for each buyer, for as many buyers as units are left.',
  unlimited: 'The same content for each buyer. It does not run out.',
};

export function unitsOf(inStock: number | null, kind: StockKind): string {
  if (inStock === null) return 'Always in stock';
  if (inStock === 0) return 'Sold out';
  const isMore = kind === 'serial_pool' && inStock >= COUNTED_MAX;
  return isMore ? `${COUNTED_MAX} or more left` : `${inStock} left`;
}

/** The beginning of a text of others, on one line and cut at a word. */
export function excerptOf(text: string, charsMax: number): string {
  const seen = labelled(text, () => '').join('');
  const line = seen.replaceAll(/\s+/gu, ' ').trim();
  if (line.length <= charsMax) return line;
  const cut = line.slice(0, charsMax);
  const end = cut.lastIndexOf(' ');
  const kept = end > charsMax / 2 ? cut.slice(0, end) : beginningOf(line, charsMax);
  return `${kept}…`;
}

/** A text of others as search engines show it. */
export const descriptionOf = (text: string): string => excerptOf(text, DESCRIPTION_CHARS_MAX);

/** Search engines cut a longer description. */
const DESCRIPTION_CHARS_MAX = 155;

/** Seconds as a person says them. */
export function durationOf(seconds: number): string {
  if (seconds < 120) return plural(seconds, 'second');
  if (seconds < 7_200) return plural(Math.round(seconds / 60), 'minute');
  const hours = Math.round(seconds / 3_600);
  return hours < 72 ? plural(hours, 'hour') : plural(Math.round(hours / 24), 'day');
}
