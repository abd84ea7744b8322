import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { partOf, readJson, textIn, type PriceSource } from './source.ts';
import { shareAnswers } from './shared_answers.ts';

const PAIRS: Readonly<Record<string, string>> = {
  ALGO: 'ALGOUSD',
  ETH: 'ETHUSD',
  SOL: 'SOLUSD',
  USDC: 'USDCUSD',
  USDT: 'USDTUSD',
};

/** The last trade on Kraken: `GET /0/public/Trades`. Its ticker has no time. */
export function openKraken(url: string, egress: Egress): PriceSource {
  const read = shareAnswers((pair) =>
    readJson(egress, `${url}/0/public/Trades?pair=${pair}&count=1`),
  );
  return {
    name: 'kraken',
    quoteOf(sign) {
      const pair = PAIRS[sign];
      return pair === undefined ? undefined : read(pair).then(quoteIn);
    },
  };
}

function quoteIn(answer: unknown) {
  const refused = textIn(answer, 'error', 0);
  if (refused) throw new Error(`refuses: ${refused.slice(0, 100)}`);
  // Kraken has its own names for pairs: ETHUSD is XETHZUSD. Beside them is `last`, not a list.
  const trades = Object.values((partOf(answer, 'result') ?? {}) as object).find(Array.isArray);
  const newest = (trades?.length ?? 0) - 1;
  return {
    price: textIn(trades, newest, 0),
    at: new Date(Number(textIn(trades, newest, 2) || NaN) * 1_000),
  };
}
