import type { Micros } from '../../../kernel/money.ts';
import { ONE, scaledOf } from './decimal.ts';
import type { Asset } from './networks.ts';
import { PriceUnavailable, type Price } from './price_gateway.ts';

/** Limits of the price within which a stablecoin counts as a dollar. */
const DOLLAR_MIN = (ONE * 98n) / 100n;
const DOLLAR_MAX = (ONE * 102n) / 100n;

const MICROS = 1_000_000n;

/**
 * The value of an amount in base units. Throws Unpriced if a stablecoin is not near a dollar.
 */
export function valueOfAmount(asset: Asset, amount: bigint, { price, source }: Price): Micros {
  if (asset.worth === 'price') return usdOf(amount, asset.decimals, price);
  const value = scaledOf(price);
  if (value === undefined || value < DOLLAR_MIN || value > DOLLAR_MAX) {
    throw new PriceUnavailable(
      `${asset.sign} is at $${price} (${source}), and counts as a dollar from $0.98 to $1.02 only`,
    );
  }
  return usdOf(amount, asset.decimals, '1');
}

/** The value of base units at a price per whole unit, rounded down to micro-dollars. */
export function usdOf(amount: bigint, decimals: number, price: string): Micros {
  const value = scaledOf(price);
  if (value === undefined || amount < 0n) throw new Error(`no worth of ${amount} at ${price}`);
  return (amount * value * MICROS) / (ONE * 10n ** BigInt(decimals));
}
