import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { execute, type Database } from '../platform/rows.ts';

export const ROWS_MAX = 5_000;

interface Lifetime {
  readonly table: string;
  readonly key: string;
  /** The time from which on they live for so many days; null: that has not come. */
  readonly from: string;
  readonly days: number;
  /** A column by which the oldest come first, of which there is an index: where it can, the key. */
  readonly order: string;
}

/** Of a delivery that waits for another attempt, that has not come. */
const DONE_AT = `case when status <> 'waiting' then attempted_at end`;

/** What lives for a time; the rest lives for ever, or has an end of its own: docs/data.md. */
const LIFETIMES: readonly Lifetime[] = [
  { table: 'event', key: 'id', from: 'occurred_at', days: 30, order: 'id' },
  { table: 'webhook_delivery', key: 'id', from: DONE_AT, days: 3, order: 'id' },
  { table: 'webhook_delivery', key: 'id', from: 'created_at', days: 30, order: 'id' },
  { table: 'past_spend', key: 'id', from: 'day', days: 90, order: 'id' },
  // Of a suspension, which lives for ever, the anomaly does too.
  {
    table: 'anomaly',
    key: 'id',
    from: 'case when not suspends then found_at end',
    days: 90,
    order: 'id',
  },
  { table: 'refusal', key: 'id', from: 'noted_at', days: 7, order: 'id' },
  { table: 'opening', key: 'id', from: 'opened_at', days: 400, order: 'id' },
  { table: 'message', key: 'id', from: 'created_at', days: 400, order: 'id' },
  { table: 'stripe_event', key: 'id', from: 'received_at', days: 30, order: 'received_at' },
  { table: 'labor_upload', key: 'id', from: 'created_at', days: 7, order: 'id' },
  { table: 'dataset_upload', key: 'id', from: 'created_at', days: 7, order: 'id' },
  { table: 'x402_payment', key: 'id', from: 'lapsed_at', days: 2, order: 'lapsed_at' },
  { table: 'approval', key: 'id', from: 'decided_at', days: 400, order: 'id' },
  { table: 'pending_order', key: 'id', from: 'closed_at', days: 400, order: 'id' },
  { table: 'password_reset', key: 'id', from: 'ended_at', days: 400, order: 'ended_at' },
  // What was reported of a sale goes with it.
  { table: 'proxy_sale', key: 'charge_id', from: 'sold_at', days: 7, order: 'charge_id' },
  {
    table: 'connection_refund',
    key: 'charge_id',
    from: 'refunded_at',
    days: 7,
    order: 'charge_id',
  },
  { table: 'asset_price', key: 'id', from: 'at', days: 90, order: 'id' },
  { table: 'oauth_item', key: 'id', from: 'expires_at', days: 0, order: 'expires_at' },
  // A window that begins anew at this moment is another version of the row, which stays.
  { table: 'limit_window', key: 'ctid', from: 'resets_at', days: 0, order: 'resets_at' },
  { table: 'api_key', key: 'id', from: 'revoked_at', days: 90, order: 'revoked_at' },
  { table: 'api_key', key: 'id', from: 'expires_at', days: 90, order: 'expires_at' },
];

/** Deletes rows whose time is over. */
export const forgetOldRows = operation({
  name: 'forget_old_rows',
  title: 'Forget old rows',
  summary:
    'Internal: deletes events, deliveries, openings, messages, uploads, approvals, prices, sales ' +
    'of proxies, payments that were never made and ended keys and sign-ins of apps of long ago.',
  access: 'operator',
  mode: 'job',
  domain: 'jobs',
  queue: 'timers',
  everyMs: 10 * 60_000,
  input: Input({}),
  output: Output({ forgotten: Type.Integer({ description: 'How many rows.' }) }),

  async handle(tx) {
    const counts: number[] = [];
    for (const lifetime of LIFETIMES) counts.push(await forget(tx.db, lifetime));
    // Rows are not exactly in the order of their time, so among the oldest may be a younger one.
    if (counts.some((count) => count > ROWS_MAX / 2)) {
      await tx.enqueue(itself, {}, { cause: 'rest' });
    }
    return { forgotten: counts.reduce((sum, count) => sum + count, 0) };
  },
});

/** Looks at the oldest rows only, so it costs the same however many there are. */
function forget(db: Database, { table, key, from, days, order }: Lifetime): Promise<number> {
  return execute(
    db,
    `delete from ${table} where ${key} in (
       select ${key} from (
         select ${key}, ${from} from ${table} where ${from} is not null
          order by ${order} limit $1) oldest
        where ${from} < now() - $2 * interval '1 day')`,
    [ROWS_MAX, days],
  );
}

/** For what one transaction should not hold. */
const itself = { name: 'forget_old_rows', queue: 'timers', input: Input({}) } as const;
