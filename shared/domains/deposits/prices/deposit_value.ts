import type { Micros } from '../../../kernel/money.ts';
import type { Database } from '../../../platform/rows.ts';
import type { Rate } from '../deposit.ts';
import { chainOf, type Asset, type PaidRail } from '../chain/networks.ts';
import { PriceUnavailable, type Price, type PriceGateway } from '../chain/price_gateway.ts';
import { valueOfAmount } from '../chain/amount_value.ts';
import { priceAt } from './price_at.ts';

/** A price by the symbol of each asset, or the reason there is none. */
export type Prices = ReadonlyMap<string, Price | PriceUnavailable>;

/** The prices of these assets, each asked for once. */
export async function pricesOf(gateway: PriceGateway, signs: readonly string[]): Promise<Prices> {
  const asked = [...new Set(signs)].map(async (sign) => {
    const price = await gateway.priceOf(sign).catch((error: unknown) => {
      if (error instanceof PriceUnavailable) return error;
      throw error;
    });
    return [sign, price] as const;
  });
  return new Map(await Promise.all(asked));
}

interface PaidAmount {
  readonly rail: PaidRail;
  readonly asset: string;
  readonly amount: bigint;
  readonly evidence: { readonly paidAt: Date };
}

/**
 * The value of an amount when it was paid, with the rate; or the reason it is unknown. `prices`:
 * the present prices.
 */
export async function valueOf(
  db: Database,
  { rail, asset: sign, amount, evidence: { paidAt } }: PaidAmount,
  prices: Prices,
): Promise<{ usd: Micros; rate: Rate } | { unpriced: string }> {
  const asset = assetOf(rail, sign);
  const now = prices.get(sign) ?? new PriceUnavailable('its price was not requested');
  const price = asset.worth === 'price' ? await priceAt(db, { asset: sign, paidAt }, now) : now;
  try {
    if (price instanceof PriceUnavailable) throw price;
    return { usd: valueOfAmount(asset, amount, price), rate: rateOf(asset, price) };
  } catch (error) {
    if (!(error instanceof PriceUnavailable)) throw error;
    return { unpriced: `Waiting for a price of ${sign}: ${error.message}`.slice(0, 300) };
  }
}

/** The rate of an asset: a stablecoin counts at par; sources only confirm that it is near. */
const rateOf = ({ worth }: Asset, { price, source, at }: Price): Rate =>
  worth === 'dollar'
    ? { price: '1', source: `par (${source})`.slice(0, 60), at }
    : { price, source: source.slice(0, 60), at };

function assetOf(rail: PaidRail, sign: string): Asset {
  const asset = chainOf(rail).assets.find((one) => one.sign === sign);
  if (!asset) throw new Error(`${sign} is not taken on ${rail}`);
  return asset;
}
