import { column, nullable, row, type Database, type Row } from '../../platform/rows.ts';

const STATE = {
  /** Seconds that the longest-waiting open token has waited; 0: none is open. */
  wait_seconds: column.float,
  /** Spendable balance of the wallet last looked at, in micro-ALGO; null: none was. */
  micro_algos: nullable(column.micros),
  /** The same on Solana, in lamports. */
  lamports: nullable(column.micros),
};

/** Reads the state that operators watch: waiting tokens and the balances of the wallets. */
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
