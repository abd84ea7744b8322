import { column, nullable, row, type Database, type Row } from '../platform/rows.ts';

const STATE = {
  /** For how many seconds the one has waited that is not there yet and waits longest; 0: none. */
  wait_seconds: column.float,
  /** In the wallet that was last looked at, in micro-ALGO; null: none was. */
  micro_algos: nullable(column.micros),
  /** The same of Solana, in lamports. */
  lamports: nullable(column.micros),
};

/** What operators watch: whether tokens are issued, and from how much. */
export const openTokens = (database: Database): Promise<Row<typeof STATE>> =>
  row(
    database,
    STATE,
    `select (select coalesce(extract(epoch from max(now() - created_at)), 0)::float8
               from token where closed_at is null) as wait_seconds,
            (${lastIn('algorand')}) as micro_algos, (${lastIn('solana')}) as lamports`,
  );

const lastIn = (rail: 'algorand' | 'solana') =>
  `select spendable from token_wallet where looked_at is not null and rail = '${rail}'
    order by looked_at desc limit 1`;
