import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { readJson, textIn, type PriceSource } from './source.ts';
import { shareAnswers } from './shared_answers.ts';

/** Products by asset. USDC is left out: Coinbase counts it as a dollar. */
const PRODUCTS: Readonly<Record<string, string>> = {
  ALGO: 'ALGO-USD',
  ETH: 'ETH-USD',
  SOL: 'SOL-USD',
  USDT: 'USDT-USD',
};

/** The last trade on Coinbase Exchange: `GET /products/ETH-USD/ticker`. */
export function openCoinbase(url: string, egress: Egress): PriceSource {
  const read = shareAnswers((product) => readJson(egress, `${url}/products/${product}/ticker`));
  return {
    name: 'coinbase',
    quoteOf(sign) {
      const product = PRODUCTS[sign];
      return product === undefined ? undefined : read(product).then(quoteIn);
    },
  };
}

const quoteIn = (ticker: unknown) => ({
  price: textIn(ticker, 'price'),
  at: new Date(textIn(ticker, 'time')),
});
