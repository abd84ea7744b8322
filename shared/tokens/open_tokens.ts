import { column, nullable, row, type Database, type Row } from '../platform/rows.ts';

const STATE = {
  /** For how many seconds the one has waited that is not there yet and waits longest; 0: none. */
  wait_seconds: column.float,
  /** In the wallet that was last looked at, in micro-ALGO; null: none was. */
  wallet_spendable: nullable(column.micros),
};

/** What operators watch: whether tokens are issued, and from how much. */
export const openTokens = (database: Database): Promise<Row<typeof STATE>> =>
  row(
    database,
    STATE,
    `select wait_seconds, wallet_spendable
       from (select coalesce(extract(epoch from max(now() - created_at)), 0)::float8
                    as wait_seconds
               from token where closed_at is null) open
       left join (select spendable as wallet_spendable from token_wallet
                   where looked_at is not null order by looked_at desc limit 1) wallet on true`,
  );
