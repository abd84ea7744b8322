import type { Micros } from '../../ledger/money.ts';
import { ONE, scaledOf } from './decimal.ts';
import type { Asset } from './networks.ts';
import { Unpriced, type Price } from './price_gateway.ts';

/** What is meant to be a dollar is taken as one while its price is between these. */
const DOLLAR_MIN = (ONE * 98n) / 100n;
const DOLLAR_MAX = (ONE * 102n) / 100n;

const MICROS = 1_000_000n;

/**
 * What is credited for so many base units of an asset. Throws Unpriced when it should be worth a
 * dollar and is not.
 */
export function worthOf(asset: Asset, amount: bigint, { price, source }: Price): Micros {
  if (asset.worth === 'price') return usdOf(amount, asset.decimals, price);
  const value = scaledOf(price);
  if (value === undefined || value < DOLLAR_MIN || value > DOLLAR_MAX) {
    throw new Unpriced(
      `${asset.sign} is at $${price} (${source}), and counts as a dollar from $0.98 to $1.02 only`,
    );
  }
  return usdOf(amount, asset.decimals, '1');
}

/** So many base units at this price of a whole unit. Less than a micro-dollar is cut. */
export function usdOf(amount: bigint, decimals: number, price: string): Micros {
  const value = scaledOf(price);
  if (value === undefined || amount < 0n) throw new Error(`no worth of ${amount} at ${price}`);
  return (amount * value * MICROS) / (ONE * 10n ** BigInt(decimals));
}
