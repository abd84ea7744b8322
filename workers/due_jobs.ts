import type { EntityManager } from 'typeorm';

import { DUE_NOW, dueAt } from '../shared/jobs/due_at.ts';
import { lowestJobId } from '../shared/jobs/jobs.ts';
import { findWatermarks } from '../shared/jobs/waiting_jobs.ts';
import type { Context } from '../shared/composition/context.ts';
import { LONG_READER } from '../shared/platform/connections/snapshot.ts';
import { transact } from '../shared/platform/database.ts';
import { column, execute, row, rows } from '../shared/platform/rows.ts';
import { backoffMs } from './note_fault.ts';

/**
 * The dispatcher's statements. Immediate jobs are found by their ids, which are in the order of
 * time, delayed ones by run_at: each from a watermark below which nothing is pending.
 */

/** Milliseconds by operation, as JSON; 0 for an operation that it does not name. */
export interface JobTimes {
  /** Age of the first batch of its queue. */
  readonly latencies: string;
  /** Current time of a job from its push to its end. */
  readonly durations: string;
}

const ROWS_MAX = 200;
/** Maximum delayed rows in a look. Most of them are pushed in batches. */
const DELAYED_ROWS_MAX = 1_000;
/** Time beyond that of jobs after which a pending row may have been lost on its way. */
const LOST_AFTER_MS = 250;
/** Time after a call in which the next one is found soon if it is lost. */
const LATELY_MS = 3_000;
/** Maximum time from the making of an id to the start of the transaction that records it. */
const RECORD_MS_MAX = 5_000;
/** Maximum distance of push_after for a pushed job: see backoffMs and gatherMs. */
const PUSHED_MS_MAX = 600_000;

export interface DueJob {
  readonly id: string;
  readonly operation: string;
  /** Attempts counted so far. */
  readonly attempts: number;
  /** It was never pushed, and no worker has begun it. */
  readonly is_first: boolean;
}
const DUE_COLUMNS = {
  id: column.text,
  operation: column.text,
  attempts: column.int,
  is_first: column.boolean,
};

/** The result of a look. It changes nothing, so PostgreSQL writes nothing for it. */
interface Look {
  readonly immediate: boolean;
  readonly delayed: boolean;
  /** Whether a pending job could be due within a second, or a call came lately. */
  readonly busy: boolean;
  /** Whether there are jobs above a watermark, so that it may be moved. */
  readonly movable: boolean;
  /** Whether the clock is behind a watermark: another server has become the primary. */
  readonly ahead: boolean;
}

export async function look(
  { reserved, clock }: Context,
  { latencies, durations }: JobTimes,
): Promise<Look> {
  const watermark = await findWatermarks(reserved);
  return row(
    reserved,
    {
      immediate: column.boolean,
      delayed: column.boolean,
      busy: column.boolean,
      movable: column.boolean,
      ahead: column.boolean,
    },
    `select (select id from job
              where id >= $5::uuid and ${isLost('$1', '$4')}
              order by id limit 1) is not null as immediate,
            (select id from job
              where run_at >= $6::timestamptz and ${isDue('$2')}
              order by run_at, id limit 1) is not null as delayed,
            (select id from job
              where id >= $5::uuid and run_at is null and status = 'pending'
              order by id limit 1) is not null
            or (select id from job
                 where run_at >= $6::timestamptz and status = 'pending'
                   and run_at <= now() + interval '1 s'
                 order by run_at limit 1) is not null
            or exists (select from job where id >= $3 and agent_id <> 0) as busy,
            coalesce((select id from job order by id desc limit 1) >= $5::uuid
              or (select run_at from job
                   where run_at between $6::timestamptz and now()
                   order by run_at limit 1) is not null, false) as movable,
            $6::timestamptz > now() as ahead`,
    [
      LOST_AFTER_MS,
      latencies,
      lowestJobId(new Date(clock.now().getTime() - LATELY_MS)),
      durations,
      watermark.id,
      watermark.at,
    ],
  );
}

/** Takes immediate jobs. A taken row becomes a delayed one, so the scan by ids stays short. */
export function takeImmediate({ reserved }: Context, durations: string): Promise<DueJob[]> {
  return transact(reserved, (db) =>
    rows(
      db,
      DUE_COLUMNS,
      `with due as (
       select id from job
        where id >= (select id from dispatch_watermark where scan = 'immediate')
          and ${isLost('$1', '$4')}
        order by id limit $2 for update skip locked)
     update job set push_after = now() + $3 * interval '1 ms',
                    run_at = ${dueAt(`$3 * interval '1 ms'`)}
       from due where job.id = due.id
     returning job.id, job.operation, job.attempts, false as is_first`,
      [LOST_AFTER_MS, ROWS_MAX, backoffMs(1), durations],
    ),
  );
}

/** Takes delayed jobs. A taken row is due again when its push may have been lost. */
export function takeDelayed({ reserved }: Context, latencies: string): Promise<DueJob[]> {
  return transact(reserved, (db) =>
    rows(
      db,
      DUE_COLUMNS,
      `with due as (
       select id, attempts, push_after is null and attempts = 0 as is_first from job
        where run_at >= (select at from dispatch_watermark where scan = 'delayed')
          and ${isDue('$2')}
        order by run_at, id limit $1 for update skip locked),
     moved as (
       select id, is_first, least(4000 * 2 ^ attempts, 300000) * interval '1 ms' as delay from due)
     update job set push_after = now() + moved.delay, run_at = ${dueAt('moved.delay')}
       from moved where job.id = moved.id
     returning job.id, job.operation, job.attempts, moved.is_first`,
      [DELAYED_ROWS_MAX, latencies],
    ),
  );
}

/** An index on the status would be shorter to scan, but make every job's end dearer (no HOT). */
const isLost = (ms: string, durations: string) => `run_at is null and status = 'pending'
  and coalesce(push_after,
               created_at + (${ms} + ${timeIn(durations)}) * interval '1 ms') <= now()`;
const isDue = (latencies: string) => `run_at <= now() and status = 'pending'
  and (push_after is null or run_at + ${timeIn(latencies)} * interval '1 ms' <= now())`;
const timeIn = (parameter: string) => `coalesce((${parameter}::jsonb ->> operation)::float8, 0)`;

/**
 * Moves each watermark on to the first job that is pending, or back to the clock if it is ahead of
 * it: another server may have become the primary.
 */
export async function moveWatermarks({ reserved }: Context): Promise<void> {
  await transact(reserved, async (db) => {
    const until = await committedUntil(db);
    await execute(
      db,
      `update dispatch_watermark watermark set
         id = case scan when 'immediate' then least($1::uuid, (
           select id from job where id >= watermark.id and run_at is null and status = 'pending'
            order by id limit 1)) end,
         at = case scan when 'delayed' then least($2::timestamptz, (
           select run_at from job
            where run_at >= watermark.at and run_at <= now() and status = 'pending'
            order by run_at limit 1)) end`,
      [lowestJobId(until), until],
    );
  });
}

/**
 * The moment before which every recorded row is committed, or never will be: a watermark may move
 * up to it. The application's role sees its own sessions, and only it records jobs. A session that
 * only reads, and says so, holds nothing back.
 */
async function committedUntil(db: EntityManager): Promise<Date> {
  const { until } = await row(
    db,
    { until: column.time },
    `select coalesce(min(xact_start), now()) - $1 * interval '1 ms' as until
       from pg_stat_activity
      where datname = current_database() and xact_start is not null and application_name <> $2`,
    [RECORD_MS_MAX, LONG_READER],
  );
  return until;
}

/**
 * Makes jobs due now that were pushed, or that would soon count as lost, as if they had never been
 * pushed. Leaves out jobs whose worker has begun to ask an outside system, which should be asked
 * once.
 */
export async function forgetPushes({ reserved }: Context): Promise<void> {
  await execute(
    reserved,
    `update job set run_at = ${DUE_NOW}, push_after = null
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

/** Makes jobs due that could not be pushed: they need not wait until they would count as lost. */
export async function makeDue({ reserved }: Context, ids: readonly string[]): Promise<void> {
  await execute(
    reserved,
    `update job set run_at = ${DUE_NOW}, push_after = null
      where id in (select id from job where id = any ($1) and status = 'pending'
                      for update skip locked)`,
    [ids],
  );
}
