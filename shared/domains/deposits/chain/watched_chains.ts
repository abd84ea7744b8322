import type { Config } from '../../../composition/config.ts';
import { column, row, rows, type Database } from '../../../platform/rows.ts';
import { comparedBalances } from '../balances/gaps.ts';
import { chainsOn } from './recipients.ts';

const CHAIN = {
  rail: column.text,
  /** Seconds since all its final blocks were searched. */
  lag_seconds: column.float,
  /** Payments that only the second look has found. */
  found_again: column.int,
  /** Final payments that are credited to nobody, their value, and the age of the oldest. */
  unclaimed: column.int,
  unclaimed_value: column.micros,
  unclaimed_seconds: column.float,
};

/** State of the search for payments by chain, for operators. */
export async function watchedChains(db: Database, config: Config) {
  const chains = await rows(
    db,
    CHAIN,
    `select c.rail, c.found_again, u.*,
            greatest(extract(epoch from now() - c.caught_up_at), 0)::float8 as lag_seconds
       from chain_cursor c cross join lateral (
         select count(*)::int as unclaimed, coalesce(sum(suspended), 0)::bigint as unclaimed_value,
                coalesce(extract(epoch from now() - min(created_at)), 0)::float8
                  as unclaimed_seconds
           from deposit
          where network = c.network and rail = c.rail and status = 'unclaimed') u
      where c.network = any ($1)`,
    [chainsOn(config).map(({ network }) => network)],
  );
  const { wait_seconds } = await row(
    db,
    { wait_seconds: column.float },
    `select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as wait_seconds
       from deposit where look_at is not null and status = 'confirming'`,
  );
  return { chains, wait_seconds, balances: await comparedBalances(db, config) };
}
