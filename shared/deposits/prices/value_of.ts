import type { Micros } from '../../ledger/money.ts';
import type { Database } from '../../platform/rows.ts';
import type { Rate } from '../deposit.ts';
import { CHAINS, type Asset, type ChainRail } from '../chain/networks.ts';
import { Unpriced, type Price, type PriceGateway } from '../chain/price_gateway.ts';
import { worthOf } from '../chain/worth.ts';
import { priceThen } from './price_then.ts';

/** By the signs of assets: a price, or why there is none. */
export type Prices = ReadonlyMap<string, Price | Unpriced>;

/** The prices of these, each asked for once. */
export async function pricesOf(gateway: PriceGateway, signs: readonly string[]): Promise<Prices> {
  const asked = [...new Set(signs)].map(async (sign) => {
    const price = await gateway.priceOf(sign).catch((error: unknown) => {
      if (error instanceof Unpriced) return error;
      throw error;
    });
    return [sign, price] as const;
  });
  return new Map(await Promise.all(asked));
}

interface Paid {
  readonly rail: ChainRail;
  readonly asset: string;
  readonly amount: bigint;
  readonly evidence: { readonly paidAt: Date };
}

/**
 * What so much was worth when it was paid, and by which rate; or why that cannot be said now.
 * `prices`: of now.
 */
export async function valueOf(
  db: Database,
  { rail, asset: sign, amount, evidence: { paidAt } }: Paid,
  prices: Prices,
): Promise<{ usd: Micros; rate: Rate } | { unpriced: string }> {
  const asset = assetOf(rail, sign);
  const now = prices.get(sign) ?? new Unpriced('Its price was not asked for.');
  const price = asset.worth === 'price' ? await priceThen(db, { asset: sign, paidAt }, now) : now;
  try {
    if (price instanceof Unpriced) throw price;
    return { usd: worthOf(asset, amount, price), rate: rateOf(asset, price) };
  } catch (error) {
    if (!(error instanceof Unpriced)) throw error;
    return { unpriced: `It waits for a price of ${sign}: ${error.message}`.slice(0, 300) };
  }
}

/** A dollar is taken at par. The sources say only that it is one. */
const rateOf = ({ worth }: Asset, { price, source, at }: Price): Rate =>
  worth === 'dollar'
    ? { price: '1', source: `par (${source})`.slice(0, 60), at }
    : { price, source: source.slice(0, 60), at };

function assetOf(rail: ChainRail, sign: string): Asset {
  const asset = CHAINS[rail].assets.find((one) => one.sign === sign);
  if (!asset) throw new Error(`${sign} is not taken on ${rail}`);
  return asset;
}
