import { column, nullable, row, type Database, type Row } from '../../platform/rows.ts';

const STATE = {
  /**
   * Seconds that the longest-waiting payable withdrawal has waited; 0: there is none. Those that
   * need a review first, and those of suspended agents, are not payable.
   */
  wait_seconds: column.float,
  /** Seconds that the longest-waiting withdrawal has waited for a review; 0: there is none. */
  review_seconds: column.float,
  /** Sum of all open withdrawals, also of those that may not be paid yet. */
  amount: column.micros,
  /** USDC in the wallet last looked at; null: none was. */
  wallet_usdc: nullable(column.micros),
  /** Number of payments its gas suffices for. */
  wallet_payments: nullable(column.int),
};

/** Reads the state that operators watch: waiting withdrawals and the wallet that pays. */
export const openWithdrawals = (database: Database): Promise<Row<typeof STATE>> =>
  row(
    database,
    STATE,
    `select wait_seconds, review_seconds, amount, wallet_usdc, wallet_payments
       from (select coalesce(sum(w.amount), 0)::bigint as amount,
                    coalesce(extract(epoch from max(now() - greatest(w.created_at, w.not_before))
                      filter (where w.not_before <= now() and (
                        w.status = 'processing' or agent.status = 'active'
                          and (w.review is null or w.review = 'approved')))), 0)::float8
                      as wait_seconds,
                    coalesce(extract(epoch from max(now() - w.created_at)
                      filter (where w.status = 'requested' and w.review = 'pending')), 0)::float8
                      as review_seconds
               from withdrawal w join agent on agent.id = w.root_id
              where w.closed_at is null) open
       left join (select usdc as wallet_usdc, gas_payments as wallet_payments from hot_wallet
                   where looked_at is not null order by looked_at desc limit 1) wallet on true`,
  );
