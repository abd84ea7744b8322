import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { column, oneOf, rows } from '../../../platform/rows.ts';
import type { PaidRail } from '../chain/networks.ts';
import { PriceUnavailable } from '../chain/price_gateway.ts';
import { pricesOf, valueOf } from '../prices/deposit_value.ts';
import { receive } from './suspend.ts';

/** Maximum payments of one run. */
const PAYMENTS_MAX = 100;

/** Books unclaimed payments that came when there was no price of their asset. */
export const valueUnclaimed = timer({
  name: 'value_unclaimed',
  title: 'Value unclaimed payments',
  summary: 'Internal: books unclaimed payments for which there was no price.',
  everyMs: 60_000,
  output: Output({ payments: Type.Integer({ description: 'Number of payments booked.' }) }),

  async prepare({ db }) {
    const sql = `select distinct asset from deposit where ${UNVALUED}`;
    return (await rows(db, { asset: column.text }, sql)).map(({ asset }) => asset);
  },

  gather: ({ prices }, _input, _call, assets) => pricesOf(prices, assets),

  async handle(tx, _input, prices) {
    const priced = [...prices].flatMap(([asset, price]) =>
      price instanceof PriceUnavailable ? [] : asset,
    );
    const payments = await rows(
      tx.db,
      PAYMENT,
      `select id, rail, asset, amount::text, paid_at from deposit
        where ${UNVALUED} and asset = any ($1) limit ${PAYMENTS_MAX}
          for no key update skip locked`,
      [priced],
    );
    let count = 0;
    for (const payment of payments) {
      const { id, rail, asset, amount, paid_at: paidAt } = payment;
      const paid = { rail, asset, amount: BigInt(amount), evidence: { paidAt } };
      const value = await valueOf(tx.db, paid, prices);
      if ('unpriced' in value) continue;
      const usd = value.usd > 0n ? value.usd : null;
      const { price, source, at } = value.rate;
      const [booked] = await rows(
        tx.db,
        { suspended: column.micros },
        `update deposit set suspended = $2, usd = $3, rate_price = $4, rate_source = $5, rate_at = $6
          where id = $1 returning suspended`,
        [id, usd ?? 0n, usd, ...(usd === null ? [null, null, null] : [price, source, at])],
      );
      await receive(tx, { id, rail, suspended: booked!.suspended });
      count += 1;
    }
    return { payments: count };
  },
});

/** SQL. */
const UNVALUED = `status = 'unclaimed' and suspended is null`;

const PAYMENT = {
  id: column.id,
  rail: oneOf<PaidRail>(),
  asset: column.text,
  amount: column.text,
  paid_at: column.time,
};
