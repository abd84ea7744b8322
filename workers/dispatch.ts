import type { EntityManager } from 'typeorm';

import { lowestJobId } from '../shared/jobs/jobs.ts';
import { catalog, queues } from '../shared/kernel/catalog.ts';
import type { Context } from '../shared/kernel/context.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import { transact } from '../shared/platform/database.ts';
import { throttled } from '../shared/platform/log.ts';
import { PREFIX } from '../shared/platform/redis.ts';
import { column, execute, row, rows } from '../shared/platform/rows.ts';
import { backoffMs } from './run_job.ts';
import { startSchedules, type StartedPeriods } from './schedules.ts';

const TICK_MS = 250;
const ROWS_MAX = 200;
/** A row that is pending this long after it was recorded may have been lost on its way. */
const LOST_AFTER_MS = 1_000;
/** The longest time from the making of an id to the start of the transaction that records it. */
const RECORD_MS_MAX = 5_000;
/** The longest push_after can be away of a job that was pushed: see backoffMs and gatherMs. */
const PUSHED_MS_MAX = 600_000;

/**
 * Pushes what is due, and what Redis or a dead process lost. Any number of them may run: rows are
 * taken with SKIP LOCKED. Without it nothing is lost either, but it is not done.
 */
export function startDispatcher(context: Context, prefix = PREFIX): Dispatcher {
  const warn = throttled(context.log);
  const started: StartedPeriods = new Map();
  let round: Promise<unknown> | undefined;

  const runRound = () =>
    (round ??= dispatch(context, started, prefix)
      .catch((error: unknown) => warn('the dispatcher could not look for due jobs', error))
      .finally(() => (round = undefined)));
  const timer = setInterval(() => void runRound(), TICK_MS);

  return {
    ready: runRound(),
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}

interface Dispatcher {
  /** The first round has ended. */
  readonly ready: Promise<unknown>;
  stop(): Promise<void>;
}

/** One round. */
export async function dispatch(
  context: Context,
  started: StartedPeriods = new Map(),
  prefix = PREFIX,
): Promise<number> {
  // Marking rows as pushed, or starting timers, would only pile up work for when Redis is back.
  if (!context.queue.ready()) return 0;
  await startSchedules(context, started);
  if (await redisLostEverything(context, prefix)) await forgetPushes(context);
  const latencies = await queueLatencies(context);
  const immediate = await takeImmediate(context, latencies);
  const due = [...immediate, ...(await takeDelayed(context, latencies))];
  if (due.length === 0) return 0;
  crashPoint('D0');
  const notPushed: string[] = [];
  await Promise.all(
    due.map(async ({ id, operation, attempts }) => {
      const queue = catalog.get(operation)?.queue;
      if (!queue) return; // A newer process knows it.
      const pushed = await context.queue.push({ queue, operation, ids: [id], attempts });
      if (!pushed) notPushed.push(id);
    }),
  );
  crashPoint('D1');
  if (notPushed.length > 0) await makeDue(context, notPushed);
  return due.length;
}

/**
 * The latency of each operation's queue, as JSON. A job that was pushed after the first batch of
 * its queue still waits there and is not lost: to push it again would only make the queue longer.
 */
async function queueLatencies({ queue }: Context): Promise<string> {
  const latencies = new Map<string, number>();
  await Promise.all(queues.map(async (name) => latencies.set(name, await queue.latencyMs(name))));
  return JSON.stringify(
    Object.fromEntries(
      [...catalog.values()].flatMap((op) => {
        const latencyMs = op.queue && latencies.get(op.queue);
        return latencyMs ? [[op.name, latencyMs]] : [];
      }),
    ),
  );
}

/** A key that we set once is gone exactly when everything else in Redis is gone too. */
async function redisLostEverything({ queue }: Context, prefix: string): Promise<boolean> {
  return (await queue.redis.set(`${prefix}:epoch`, Date.now(), 'NX')) === 'OK';
}

/**
 * What was pushed, or would soon be taken for lost, is due now, as if it had never been pushed. Not
 * the jobs whose worker has begun to ask an outside system, which should be asked once.
 */
async function forgetPushes({ database }: Context): Promise<void> {
  await execute(
    database,
    `update job set run_at = now(), push_after = null
      where status = 'pending' and id in (
        select id from job
         where status = 'pending' and (run_at is null and push_after is null
               and id >= (select id from dispatch_watermark where scan = 'immediate')
            or push_after is not null
               and run_at between now() and now() + $1 * interval '1 ms')
           for update skip locked)`,
    [PUSHED_MS_MAX],
  );
}

/** What could not be pushed need not wait until it would be taken for lost. */
async function makeDue({ database }: Context, ids: readonly string[]): Promise<void> {
  await execute(
    database,
    `update job set run_at = now(), push_after = null
      where id in (select id from job where id = any ($1) and status = 'pending'
                      for update skip locked)`,
    [ids],
  );
}

const DUE_COLUMNS = {
  id: column.text,
  operation: column.text,
  /** Attempts counted so far. */
  attempts: column.int,
};
type DueJob = { id: string; operation: string; attempts: number };

/**
 * Immediate jobs are found by their ids, which are in the order of time: from the oldest that is
 * unfinished. A row that is pushed again moves to the delayed ones, so this scan stays short. An
 * index on the status would make every job's end dearer (no HOT update).
 */
async function takeImmediate({ database }: Context, latencies: string): Promise<DueJob[]> {
  return transact(database, async (db) => {
    const horizon = lowestJobId(await committedUntil(db));
    const due = await rows(
      db,
      DUE_COLUMNS,
      `with due as (
         select id from job
          where id >= (select id from dispatch_watermark where scan = 'immediate')
            and run_at is null and status = 'pending'
            and coalesce(push_after,
                         created_at + ($1 + ${latencyIn('$4')}) * interval '1 ms') <= now()
          order by id limit $2 for update skip locked)
       update job set push_after = now() + $3 * interval '1 ms',
                      run_at = now() + $3 * interval '1 ms'
         from due where job.id = due.id returning job.id, job.operation, job.attempts`,
      [LOST_AFTER_MS, ROWS_MAX, backoffMs(1), latencies],
    );
    await execute(
      db,
      `update dispatch_watermark set id = least($1::uuid, (
         select id from job
          where id >= (select id from dispatch_watermark where scan = 'immediate')
            and run_at is null and status = 'pending' order by id limit 1))
        where scan = 'immediate'`,
      [horizon],
    );
    return due;
  });
}

/**
 * Delayed jobs wait in an index on run_at, which is moved on when a job is pushed: what is pending
 * is never below the watermark.
 */
async function takeDelayed({ database }: Context, latencies: string): Promise<DueJob[]> {
  return transact(database, async (db) => {
    const horizon = await committedUntil(db);
    const due = await rows(
      db,
      DUE_COLUMNS,
      `with due as (
         select id, attempts from job
          where run_at >= (select at from dispatch_watermark where scan = 'delayed')
            and run_at <= now() and status = 'pending'
            and (push_after is null or run_at + ${latencyIn('$2')} * interval '1 ms' <= now())
          order by run_at, id limit $1 for update skip locked),
       moved as (
         select id, now() + least(4000 * 2 ^ attempts, 300000) * interval '1 ms' as next from due)
       update job set push_after = moved.next, run_at = moved.next
         from moved where job.id = moved.id returning job.id, job.operation, job.attempts`,
      [ROWS_MAX, latencies],
    );
    await execute(
      db,
      `update dispatch_watermark set at = least($1::timestamptz, (
         select min(run_at) from job
          where run_at >= (select at from dispatch_watermark where scan = 'delayed')
            and run_at <= now() and status = 'pending'))
        where scan = 'delayed'`,
      [horizon],
    );
    return due;
  });
}

/**
 * Whatever was recorded before this moment is committed, or never will be: a watermark may move so
 * far. The application's role sees its own sessions, and only it records jobs.
 */
async function committedUntil(db: EntityManager): Promise<Date> {
  const { until } = await row(
    db,
    { until: column.time },
    `select coalesce(min(xact_start), now()) - $1 * interval '1 ms' as until
       from pg_stat_activity where datname = current_database() and xact_start is not null`,
    [RECORD_MS_MAX],
  );
  return until;
}

const latencyIn = (parameter: string) => `coalesce((${parameter}::jsonb ->> operation)::float8, 0)`;
