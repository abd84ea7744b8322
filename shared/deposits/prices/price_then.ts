import { column, rows, type Database } from '../../platform/rows.ts';
import { scaledOf } from '../chain/decimal.ts';
import { Unpriced, type Price } from '../chain/price_gateway.ts';

/** A price that is no further from a payment is of its moment. */
const NEAR_MINUTES = 3;

const PRICE = { price: column.text, source: column.text, at: column.time };

/**
 * At which price a payment of that moment is converted, whenever that happens: that of its moment,
 * so its payer cannot wait for a better one. Where none is known that is near, the lowest that is
 * known from then until now. `now`: what is asked for now, or why there is none.
 */
export async function priceThen(
  db: Database,
  { asset, paidAt }: { asset: string; paidAt: Date },
  now: Price | Unpriced,
): Promise<Price | Unpriced> {
  const [noted] = await rows(db, PRICE, NEAREST_SQL, [asset, paidAt, NEAR_MINUTES]);
  const distance = ({ at }: Price) => Math.abs(at.getTime() - paidAt.getTime());
  if (now instanceof Unpriced) return noted ?? now;
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

/** Of the last before it, and all after it. */
const LOWEST_SQL = `
  select price::text, source, at from asset_price
   where asset = $1 and at >= coalesce((
           select max(at) from asset_price where asset = $1 and at <= $2::timestamptz), '-infinity')
   order by asset_price.price limit 1`;
