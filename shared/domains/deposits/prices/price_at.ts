import { column, rows, type Database } from '../../../platform/rows.ts';
import { scaledOf } from '../chain/decimal.ts';
import { PriceUnavailable, type Price } from '../chain/price_gateway.ts';

/** Maximum distance of a price from a payment to count as the price of its moment. */
const NEAR_MINUTES = 3;

const PRICE = { price: column.text, source: column.text, at: column.time };

/**
 * The price at which a payment is converted, whenever that happens: that of its moment, so that the
 * payer cannot wait for a better one. If none is known near it, the lowest known since then. `now`:
 * the present price, or the reason there is none.
 */
export async function priceAt(
  db: Database,
  { asset, paidAt }: { asset: string; paidAt: Date },
  now: Price | PriceUnavailable,
): Promise<Price | PriceUnavailable> {
  const [noted] = await rows(db, PRICE, NEAREST_SQL, [asset, paidAt, NEAR_MINUTES]);
  const distance = ({ at }: Price) => Math.abs(at.getTime() - paidAt.getTime());
  if (now instanceof PriceUnavailable) return noted ?? now;
  if (noted) return distance(noted) < distance(now) ? noted : now;
  if (distance(now) <= NEAR_MINUTES * 60_000) return now;
  const [lowest] = await rows(db, PRICE, LOWEST_SQL, [asset, paidAt]);
  return lowest && scaledOf(lowest.price)! < scaledOf(now.price)! ? lowest : now;
}

const NEAREST_SQL = `
  select price::text, source, at from asset_price
   where asset = $1 and at between $2::timestamptz - $3 * interval '1 minute'
                               and $2::timestamptz + $3 * interval '1 minute'
   order by abs(extract(epoch from at - $2::timestamptz)) limit 1`;

/** SQL: the lowest among the last price before the payment and all prices after it. */
const LOWEST_SQL = `
  select price::text, source, at from asset_price
   where asset = $1 and at >= coalesce((
           select max(at) from asset_price where asset = $1 and at <= $2::timestamptz), '-infinity')
   order by asset_price.price limit 1`;
