import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { execute } from '../../../platform/rows.ts';
import { PriceUnavailable } from '../chain/price_gateway.ts';
import { pricesOf } from './deposit_value.ts';
import { takenAssets } from './price_status.ts';

/** Records the prices of assets, for payments that are converted later and for operators. */
export const notePrices = timer({
  name: 'note_prices',
  title: 'Note prices',
  summary: 'Internal: records the prices of the assets accepted on the chains.',
  everyMs: 60_000,
  output: Output({ prices: Type.Integer({ description: 'Number of prices recorded.' }) }),

  prepare: async ({ config }) => takenAssets(config),

  gather: ({ prices }, _input, _call, signs) => pricesOf(prices, signs),

  async handle({ db }, _input, prices) {
    const known = [...prices].flatMap(([asset, price]) =>
      price instanceof PriceUnavailable ? [] : { asset, ...price },
    );
    const noted = await execute(
      db,
      `insert into asset_price (asset, at, price, source)
       select * from unnest($1::text[], $2::timestamptz[], $3::numeric[], $4::text[])
       on conflict do nothing returning id`,
      [
        known.map(({ asset }) => asset),
        known.map(({ at }) => at),
        known.map(({ price }) => price),
        known.map(({ source }) => source),
      ],
    );
    return { prices: noted };
  },
});
