import type { Config } from '../../../composition/config.ts';
import { column, row, rows, type Database } from '../../../platform/rows.ts';
import { CHAIN_RAILS, networkOf } from './networks.ts';
import { railOf } from './recipients.ts';

const CHAIN = {
  rail: column.text,
  /** Seconds since all its final blocks were searched. */
  lag_seconds: column.float,
  /** Number of payments credited to nobody so far. */
  unbound: column.int,
};

/** State of the search for payments by chain, for operators. */
export async function watchedChains(db: Database, config: Config) {
  const on = CHAIN_RAILS.flatMap((rail) => {
    const settings = railOf(config, rail);
    return settings ? networkOf(rail, settings) : [];
  });
  const chains = await rows(
    db,
    CHAIN,
    `select rail, unbound,
            greatest(extract(epoch from now() - caught_up_at), 0)::float8 as lag_seconds
       from chain_cursor where network = any ($1)`,
    [on],
  );
  const { wait_seconds } = await row(
    db,
    { wait_seconds: column.float },
    `select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as wait_seconds
       from deposit where look_at is not null and status = 'confirming'`,
  );
  return { chains, wait_seconds };
}
