import { column, nullable, row, rows, type Database } from '../../platform/rows.ts';
import { lowestJobId } from '../jobs.ts';

/** What is looked at of the last minutes, the newest first: a busy platform has more. */
export const JOBS_MAX = 20_000;
const MINUTES = 5;

const RECENT = {
  operation: column.text,
  done: column.int,
  refused: column.int,
  p50_ms: nullable(column.float),
  p99_ms: nullable(column.float),
};
const PENDING = {
  operation: column.text,
  pending: column.int,
  /** Of these, put off after a fault. */
  failing: column.int,
  /** Given up, or waiting for somebody's decision. */
  resting: column.int,
  oldest_at: nullable(column.time),
};

export interface OperationJobs {
  readonly operation: string;
  readonly pending: number;
  readonly failing: number;
  readonly resting: number;
  /** Since when the one that is due longest has been due; null: none is due. */
  readonly oldest_at: Date | null;
  /** Of those that were accepted in the last minutes. */
  readonly done: number;
  readonly refused: number;
  /** From acceptance to the end; null: none has ended. */
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
}

const NONE = {
  pending: 0,
  failing: 0,
  resting: 0,
  oldest_at: null,
  done: 0,
  refused: 0,
  p50_ms: null,
  p99_ms: null,
};

/** SQL: the newest jobs of the last minutes, by the ids, which rise with time. */
const NEWEST = `
  select operation, status, agent_id,
         1000 * extract(epoch from finished_at - created_at) as ms
    from job where id >= $1::uuid order by id desc limit ${JOBS_MAX}`;

const since = (now: Date) => lowestJobId(new Date(now.getTime() - MINUTES * 60_000));

/** Jobs by operation: what is pending, and how those of the last five minutes went. */
export async function jobsByOperation(db: Database, now: Date): Promise<OperationJobs[]> {
  const recent = await rows(
    db,
    RECENT,
    `with newest as (${NEWEST})
     select operation, count(*) filter (where status = 'complete')::int as done,
            count(*) filter (where status = 'failed')::int as refused,
            percentile_cont(0.5) within group (order by ms)::float8 as p50_ms,
            percentile_cont(0.99) within group (order by ms)::float8 as p99_ms
       from newest group by operation`,
    [since(now)],
  );
  // The two scans of the dispatcher: no job below their watermarks is pending.
  const pending = await rows(
    db,
    PENDING,
    `select operation, count(*)::int as pending,
            count(*) filter (where fault is not null and run_at < 'infinity')::int as failing,
            count(*) filter (where run_at = 'infinity')::int as resting,
            min(coalesce(run_at, created_at))
              filter (where coalesce(run_at, created_at) <= now()) as oldest_at
       from (select * from job
              where id >= (select id from dispatch_watermark where scan = 'immediate')
                and run_at is null and status = 'pending'
             union all
             select * from job
              where run_at >= (select at from dispatch_watermark where scan = 'delayed')
                and status = 'pending') waiting
      group by operation`,
  );
  const names = new Set([...pending, ...recent].map(({ operation }) => operation));
  return [...names].toSorted().map((operation) => ({
    ...NONE,
    ...pending.find((one) => one.operation === operation),
    ...recent.find((one) => one.operation === operation),
    operation,
  }));
}

const PACE = {
  jobs: column.int,
  seconds: column.float,
  p50_ms: nullable(column.float),
  p99_ms: nullable(column.float),
};

/** How fast agents' calls were done in the last five minutes. */
export const paceOfJobs = (db: Database, now: Date) =>
  row(
    db,
    PACE,
    `with newest as (${NEWEST})
     select count(*)::int as jobs,
            percentile_cont(0.5) within group (order by ms)::float8 as p50_ms,
            percentile_cont(0.99) within group (order by ms)::float8 as p99_ms,
            ${60 * MINUTES}::float8 as seconds
       from newest where agent_id > 0 and status <> 'pending'`,
    [since(now)],
  );
