import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataSource } from 'typeorm';

import { insertJobs, newJobId } from '../../shared/jobs/jobs.ts';
import type { Deployment } from './deployment.ts';
import { countsOf, type History } from './calls/history.ts';

/**
 * Lets time pass without waiting for it: due times of rows are moved into the past, and timers are
 * started more often than their schedules say.
 */
export interface DueTimes {
  /** The time of this timer comes for an order. */
  makeDue(timer: OrderTimer, orderId: number): Promise<void>;
  /** From now on no row grows old. Resolves with what was not forgotten in this time. */
  finish(timeoutMs: number): Promise<string[]>;
  stop(): Promise<void>;
}

type OrderTimer = 'release_due_orders' | 'refund_unanswered_disputes';

const EVERY_MS = 1_500;
const TIMERS = [
  'release_due_orders',
  'refund_unanswered_disputes',
  'find_anomalies',
  'forget_old_rows',
  'forget_old_jobs',
  'roll_up_money',
  'issue_receipts',
  'gather_records',
];

interface Lifetime {
  readonly table: string;
  readonly key: string;
  readonly from: string;
  readonly days: number;
  /** Condition of rows that must not grow old. */
  readonly unless?: string;
}

/**
 * An event that was not sent to a webhook yet, or that no reader sees yet, and so a webhook that is
 * created now is sent it: in a month it would have been.
 */
const IS_TO_BE_SENT = `(event.id > (select id from event_watermark) or exists (
  select from webhook w where w.root_id = event.root_id and (
    event.id > w.position or exists (
      select from webhook_delivery d
       where d.webhook_id = w.id and d.event_id = event.id and d.status = 'waiting'))))`;

/** Rows that live for some days, with the time from which they are counted. */
const LIFETIMES: readonly Lifetime[] = [
  { table: 'event', key: 'id', from: 'occurred_at', days: 31, unless: IS_TO_BE_SENT },
  { table: 'opening', key: 'id', from: 'opened_at', days: 401 },
  { table: 'proxy_sale', key: 'charge_id', from: 'sold_at', days: 8 },
  { table: 'api_key', key: 'id', from: 'revoked_at', days: 91 },
];
const KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(LIFETIMES.map(({ table, key }) => [table, key])),
  job: 'id',
};

/** Copies of the rows that were made old, and both together: what there would be without timers. */
export async function prepareCopies(database: DataSource): Promise<void> {
  await database.query('create schema drill');
  for (const [table, key] of Object.entries(KEYS)) {
    await database.query(`create table drill.${table} as table public.${table} with no data`);
    await database.query(
      `create view drill.all_${table} as
         select * from public.${table} live where not exists (
           select from drill.${table} old where old.${key} = live.${key})
         union all select * from drill.${table}`,
    );
  }
}

export function openDueTimes(
  { outside }: Deployment,
  database: DataSource,
  history: History,
): DueTimes {
  const ended: string[] = [];
  let isAgeing = true;
  let isStopped = false;

  /** PostgreSQL may be down: repeated until it is done. What is repeated changes nothing more. */
  async function untilDone<T>(work: () => Promise<T>): Promise<T | undefined> {
    while (!isStopped) {
      try {
        return await work();
      } catch {
        await sleep(100);
      }
    }
    return undefined;
  }

  async function age(): Promise<void> {
    for (const { table, key, from, days, unless = 'false' } of LIFETIMES) {
      await database.query(
        `with old as (
           select * from ${table}
            where ${from} between now() - interval '1 day' and now() - interval '2 seconds'
              and not ${unless}
              for update skip locked),
         moved as (
           update ${table} set ${from} = ${table}.${from} - interval '${days} days'
             from old where ${table}.${key} = old.${key})
         insert into drill.${table} select * from old`,
      );
    }
    await ageJobs();
    await outside.stockProxies(database);
  }

  /** Calls that no client will repeat: a repeat of what is forgotten would be another call. */
  async function ageJobs(): Promise<void> {
    ended.push(...history.ended.splice(0));
    const calls = ended.map((call) => call.split(' '));
    // The first digits of an id are its time.
    const done: { call: string }[] = await database.query(
      `with old as (
         select * from job
          where (agent_id, key) in (select * from unnest($1::bigint[], $2::text[]))
            and status <> 'pending' for update skip locked),
       moved as (
         update job set id = ('0190' || substr(old.id::text, 5))::uuid,
                        finished_at = old.finished_at - interval '4 days'
           from old where job.id = old.id)
       insert into drill.job select * from old returning agent_id || ' ' || key as call`,
      [calls.map(([agent]) => agent), calls.map(([, key]) => key)],
    );
    const gone = new Set(done.map(({ call }) => call));
    ended.splice(0, ended.length, ...ended.filter((call) => !gone.has(call)).slice(-1_000));
  }

  async function startTimers(): Promise<void> {
    const pending: { operation: string }[] = await database.query(
      `select distinct operation from job where status = 'pending' and operation = any ($1)`,
      [TIMERS],
    );
    const idle = TIMERS.filter((name) => !pending.some(({ operation }) => operation === name));
    const platform = { agentId: 0, rootId: 0, input: {}, hash: Buffer.alloc(32) };
    await insertJobs(
      database,
      idle.map((operation) => ({
        id: newJobId(new Date()),
        operation,
        ...platform,
        requestId: randomUUID(),
      })),
    );
  }

  async function findUnforgotten(): Promise<string[]> {
    const found: string[] = [];
    for (const { table, from } of LIFETIMES) {
      const [{ count }] = await database.query(
        `select count(*)::int from ${table} where ${from} < now() - interval '1 day'`,
      );
      if (count > 0) found.push(`${count} rows of ${table} are old and were not forgotten`);
    }
    const [{ count }] = await database.query(
      `select count(*)::int from job where id < '01910000-0000-0000-0000-000000000000'`,
    );
    if (count > 0) found.push(`${count} jobs are old and were not forgotten`);
    return found;
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      await untilDone(async () => {
        if (isAgeing) await age();
        await startTimers();
      });
      await sleep(EVERY_MS);
    }
  }
  const running = run();

  return {
    async makeDue(timer, orderId) {
      await untilDone(() => database.query(MAKE_DUE[timer], [orderId]));
    },
    async finish(timeoutMs) {
      isAgeing = false;
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const left = (await untilDone(findUnforgotten)) ?? [];
        if (left.length === 0 || Date.now() > deadline) {
          await countForgotten();
          return left;
        }
        await sleep(200);
      }
    },
    async stop() {
      isStopped = true;
      await running;
    },
  };

  async function countForgotten(): Promise<void> {
    for (const table of Object.keys(KEYS)) {
      const [{ count }] = await database.query(`select count(*)::int from drill.${table}`);
      const counts = countsOf(history, `forgotten: ${table}`);
      counts.calls = count;
      counts.answered = count;
      counts.performed = count;
    }
  }
}

const MAKE_DUE: Readonly<Record<OrderTimer, string>> = {
  release_due_orders: `update orders set release_at = now() - interval '1 second'
    where id = $1 and status = 'escrow'`,
  refund_unanswered_disputes: `update dispute set respond_by = now() - interval '1 second'
    where order_id = $1 and closed_at is null`,
};
