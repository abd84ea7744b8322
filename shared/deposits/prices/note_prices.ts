import { operation } from '../../kernel/operation.ts';
import { Input, Output, Type } from '../../kernel/schema.ts';
import { execute } from '../../platform/rows.ts';
import { CHAIN_RAILS, CHAINS } from '../chain/networks.ts';
import { Unpriced } from '../chain/price_gateway.ts';
import { railOf } from '../chain/recipients.ts';
import { pricesOf } from './value_of.ts';

/** Notes what is converted at a price, so that a payment of now can be converted later. */
export const notePrices = operation({
  name: 'note_prices',
  title: 'Note prices',
  summary: 'Internal: notes what the coins are worth that are taken on the chains.',
  access: 'operator',
  mode: 'job',
  domain: 'deposits',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({ prices: Type.Integer({ description: 'How many were noted.' }) }),

  prepare: ({ config }) =>
    Promise.resolve(
      CHAIN_RAILS.filter((rail) => railOf(config, rail))
        .flatMap((rail) => CHAINS[rail].assets)
        .flatMap(({ sign, worth }) => (worth === 'price' ? sign : [])),
    ),

  gather: ({ prices }, _input, _call, signs) => pricesOf(prices, signs),

  async handle({ db }, _input, prices) {
    const known = [...prices].flatMap(([asset, price]) =>
      price instanceof Unpriced ? [] : { asset, ...price },
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
