import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { partOf, readJson, textIn, type PriceSource } from './source.ts';
import { shareAnswers } from './shared_answers.ts';

const COINS: Readonly<Record<string, string>> = {
  ALGO: 'algorand',
  ETH: 'ethereum',
  SOL: 'solana',
  USDC: 'usd-coin',
  USDT: 'tether',
};
const QUERY = new URLSearchParams({
  ids: Object.values(COINS).join(','),
  vs_currencies: 'usd',
  include_last_updated_at: 'true',
  precision: 'full',
}).toString();
/** Without a key it allows few requests a minute, and its prices change once a minute. */
const FRESH_MS = 20_000;

/** Keys of the demo plan and of paid ones go to different servers, in different headers. */
const headersOf = (url: string, key: string): Record<string, string> =>
  new URL(url).hostname.startsWith('pro-api.')
    ? { 'x-cg-pro-api-key': key }
    : { 'x-cg-demo-api-key': key };

/** An average of many exchanges, for all assets at once: `GET /api/v3/simple/price`. */
export function openCoingecko(url: string, egress: Egress, key?: string): PriceSource {
  const headers = key === undefined ? {} : headersOf(url, key);
  const read = shareAnswers(
    () => readJson(egress, `${url}/api/v3/simple/price?${QUERY}`, headers),
    FRESH_MS,
  );
  return {
    name: 'coingecko',
    quoteOf(sign) {
      const coin = COINS[sign];
      return coin === undefined
        ? undefined
        : read('all').then((answer) => quoteIn(partOf(answer, coin)));
    },
  };
}

const quoteIn = (coin: unknown) => ({
  price: textIn(coin, 'usd'),
  at: new Date(Number(textIn(coin, 'last_updated_at') || NaN) * 1_000),
});
