import { ONE, scaledOf, textOf } from '../../../shared/domains/deposits/chain/decimal.ts';
import type { Egress } from '../../../shared/platform/egress/egress.ts';
import { readJson, textIn, type PriceSource, type Quote } from './source.ts';
import { shareAnswers } from './shared_answers.ts';

const PRODUCTS: Readonly<Record<string, string>> = {
  ALGO: 'ALGO-USD',
  ETH: 'ETH-USD',
  SOL: 'SOL-USD',
  USDT: 'USDT-USD',
};
/** Coinbase counts USDC as a dollar. It has markets of USDT in both. */
const OF_USDC = { usd: 'USDT-USD', usdc: 'USDT-USDC' };

/** The last trade on Coinbase Exchange: `GET /products/ETH-USD/ticker`. */
export function openCoinbase(url: string, egress: Egress): PriceSource {
  const read = shareAnswers((product) => readJson(egress, `${url}/products/${product}/ticker`));
  const quote = (product: string) => read(product).then(quoteIn);
  return {
    name: 'coinbase',
    quoteOf(sign) {
      if (sign === 'USDC') {
        return Promise.all([quote(OF_USDC.usd), quote(OF_USDC.usdc)]).then(ratioOf);
      }
      const product = PRODUCTS[sign];
      return product === undefined ? undefined : quote(product);
    },
  };
}

const quoteIn = (ticker: unknown): Quote => ({
  price: textIn(ticker, 'price'),
  at: new Date(textIn(ticker, 'time')),
});

/** It is as old as the older of both. */
function ratioOf([usd, usdc]: readonly [Quote, Quote]): Quote {
  const [above, below] = [scaledOf(usd.price), scaledOf(usdc.price)];
  const price = above && below ? textOf((above * ONE) / below) : '';
  return { price, at: usd.at < usdc.at ? usd.at : usdc.at };
}
