import type { Config } from '../../../composition/config.ts';
import { Nullable, Output, Time, Type } from '../../../kernel/schema.ts';
import { column, rows, type Database } from '../../../platform/rows.ts';
import { CHAINS } from '../chain/networks.ts';
import { chainsOn } from '../chain/recipients.ts';

export const PriceView = Output('AssetPrice', {
  asset: Type.String({ description: 'Symbol of an asset that is taken.' }),
  price: Nullable(Type.String({ description: 'Its last price in dollars; null: none in a day.' })),
  sources: Type.Array(Type.String(), { maxItems: 10, description: 'Sources that agreed on it.' }),
  at: Nullable(Time('Time of the oldest of their prices.')),
});

/** Symbols of the assets that are taken on the rails that are on. */
export const takenAssets = (config: Config): readonly string[] => [
  ...new Set(
    chainsOn(config)
      .flatMap(({ rail }) => CHAINS[rail].assets)
      .map(({ sign }) => sign),
  ),
];

const PRICE = { asset: column.text, price: column.text, source: column.text, at: column.time };

/** The last price of each asset that is taken, by name. */
export async function priceStatus(db: Database, config: Config) {
  const assets = takenAssets(config).toSorted();
  const found = await rows(
    db,
    PRICE,
    `select asset, price::text, source, at
       from unnest($1::text[]) as taken (sign)
      cross join lateral (
        select * from asset_price
         where asset = taken.sign and at > now() - interval '1 day' order by at desc limit 1) p`,
    [assets],
  );
  return assets.map((asset) => {
    const one = found.find((price) => price.asset === asset);
    return {
      asset,
      price: one?.price ?? null,
      sources: one?.source.split(' ') ?? [],
      at: one?.at.toISOString() ?? null,
    };
  });
}
