import { runAgain, timer } from '../../jobs/timers/timer.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { execute, type Database } from '../../platform/rows.ts';

export const ROWS_MAX = 5_000;

interface Lifetime {
  readonly table: string;
  /** `id` if absent. */
  readonly key?: string;
  /** SQL: the time from which `days` count; null: not yet. */
  readonly from: string;
  readonly days: number;
  /** An indexed column that sorts the oldest first, where the key does not. */
  readonly order?: string;
  /** Maximum rows at once, if others are deleted with each; ROWS_MAX if absent. */
  readonly max?: number;
}

/** SQL: the end of a delivery; null while it waits for another attempt. */
const DONE_AT = `case when status <> 'waiting' then attempted_at end`;

/** Rows with a lifetime. All others are kept, or deleted in another way: docs/data.md. */
const LIFETIMES: readonly Lifetime[] = [
  { table: 'event', from: 'occurred_at', days: 30 },
  { table: 'webhook_delivery', from: DONE_AT, days: 3 },
  { table: 'webhook_delivery', from: 'created_at', days: 30 },
  { table: 'past_spend', from: 'day', days: 90 },
  // An anomaly that caused a suspension is kept with it.
  { table: 'anomaly', from: 'case when not suspends then found_at end', days: 90 },
  { table: 'refusal', from: 'noted_at', days: 7 },
  { table: 'opening', from: 'opened_at', days: 400 },
  { table: 'message', from: 'created_at', days: 400 },
  { table: 'stripe_event', from: 'received_at', days: 30, order: 'received_at' },
  { table: 'labor_upload', from: 'created_at', days: 7 },
  // A record counts 90 days.
  { table: 'labor_verdict', key: 'ctid', from: 'day', days: 91, order: 'day' },
  { table: 'dataset_upload', from: 'created_at', days: 7 },
  // Up to 100 000 addresses are deleted with each.
  { table: 'email_file', from: 'created_at', days: 30, max: 4 },
  { table: 'x402_payment', from: 'lapsed_at', days: 2, order: 'lapsed_at' },
  { table: 'approval', from: 'decided_at', days: 400 },
  { table: 'pending_order', from: 'closed_at', days: 400 },
  // One that was bought stays, so that its order can be compared with it.
  { table: 'quote', from: 'ended_at', days: 1, order: 'ended_at' },
  { table: 'password_reset', from: 'ended_at', days: 400, order: 'ended_at' },
  // Reports of a sale are deleted with it.
  { table: 'proxy_sale', key: 'charge_id', from: 'sold_at', days: 7 },
  { table: 'connection_refund', key: 'charge_id', from: 'refunded_at', days: 7 },
  // An answer that was given back is kept, because its refund names it.
  { table: 'mail_reply', from: 'case when not refunded then asked_at end', days: 8 },
  { table: 'mail_doubt', from: 'ends_at', days: 90 },
  { table: 'mail', from: 'created_at', days: 30 },
  { table: 'mail_token', from: 'ends_at', days: 7, order: 'ends_at' },
  { table: 'chain_provider_day', key: 'ctid', from: 'day', days: 90, order: 'day' },
  { table: 'asset_price', from: 'at', days: 90 },
  // The longest time of a dispute. Nothing reads older ones: neither note_card_proceeds nor the
  // reserve, of which WITHDRAWAL_CARD_DAYS is at most as long.
  { table: 'card_proceeds', key: 'transfer_id', from: 'paid_at', days: 180 },
  { table: 'oauth_item', from: 'expires_at', days: 0, order: 'expires_at' },
  // A window that is renewed at this moment has another ctid, so it stays.
  { table: 'limit_window', key: 'ctid', from: 'resets_at', days: 0, order: 'resets_at' },
  // A process that ends in order deletes its row.
  { table: 'process', from: 'seen_at', days: 1 },
  // A link is over a day after it was made.
  { table: 'start_link', from: 'used_at', days: 2 },
  { table: 'machine_minute', key: 'ctid', from: 'at', days: 2, order: 'at' },
  { table: 'api_key', from: 'revoked_at', days: 90, order: 'revoked_at' },
  { table: 'api_key', from: 'expires_at', days: 90, order: 'expires_at' },
];

/** Deletes rows whose lifetime has ended. */
export const forgetOldRows = timer({
  name: 'forget_old_rows',
  title: 'Forget old rows',
  summary:
    'Internal: deletes old events, deliveries, openings, messages, uploads, approvals, prices, ' +
    'sales of proxies, quotes, payments that were never made, and ended keys and sign-ins of apps.',
  everyMs: 10 * 60_000,
  output: Output({ forgotten: Type.Integer({ description: 'Number of rows.' }) }),

  async handle(tx) {
    let forgotten = 0;
    let areMore = false;
    for (const lifetime of LIFETIMES) {
      const count = await forget(tx.db, lifetime);
      forgotten += count;
      // Rows are not exactly in order of time: a younger one may be among them, hence the half.
      areMore ||= count > (lifetime.max ?? ROWS_MAX) / 2;
    }
    if (areMore) await runAgain(tx, 'forget_old_rows');
    return { forgotten };
  },
});

/** Reads the oldest rows only, so the cost does not grow with the table. */
function forget(db: Database, lifetime: Lifetime): Promise<number> {
  const { table, key = 'id', from, days, order = key, max = ROWS_MAX } = lifetime;
  return execute(
    db,
    `delete from ${table} where ${key} in (
       select ${key} from (
         select ${key}, ${from} from ${table} where ${from} is not null
          order by ${order} limit $1) oldest
        where ${from} < now() - $2 * interval '1 day')`,
    [max, days],
  );
}
