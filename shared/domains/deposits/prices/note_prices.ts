import { timer } from '../../../jobs/timers/timer.ts';
import { Output, Type } from '../../../kernel/schema.ts';
import { execute } from '../../../platform/rows.ts';
import { CHAIN_RAILS, CHAINS } from '../chain/networks.ts';
import { PriceUnavailable } from '../chain/price_gateway.ts';
import { railOf } from '../chain/recipients.ts';
import { pricesOf } from './deposit_value.ts';

/** Records the prices of assets, so that a payment of now can be converted later. */
export const notePrices = timer({
  name: 'note_prices',
  title: 'Note prices',
  summary: 'Internal: records the prices of the coins accepted on the chains.',
  everyMs: 60_000,
  output: Output({ prices: Type.Integer({ description: 'Number of prices recorded.' }) }),

  prepare: ({ config }) =>
    Promise.resolve(
      CHAIN_RAILS.filter((rail) => railOf(config, rail))
        .flatMap((rail) => CHAINS[rail].assets)
        .flatMap(({ sign, worth }) => (worth === 'price' ? sign : [])),
    ),

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
