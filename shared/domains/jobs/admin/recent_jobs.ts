import { column, nullable, row, rows, type Database, type Row } from '../../../platform/rows.ts';
import { lowestJobId } from '../../../jobs/jobs.ts';
import { findWatermarks } from '../../../jobs/waiting_jobs.ts';

/** Maximum jobs read, newest first: a busy platform has more in the last minutes. */
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
  /** Number of these that were put off after a fault. */
  failing: column.int,
  /** Number given up or waiting for a decision. */
  resting: column.int,
  oldest_at: nullable(column.time),
};

interface OperationJobs {
  readonly operation: string;
  readonly pending: number;
  readonly failing: number;
  readonly resting: number;
  /** Due time of the job that is due longest; null: none is due. */
  readonly oldest_at: Date | null;
  /** Number ended among those accepted in the last minutes. */
  readonly done: number;
  readonly refused: number;
  /** Time from acceptance to the end; null: none has ended. */
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

/** SQL: the newest jobs of the last minutes, found by their ids, which rise with time. */
const NEWEST = `
  select operation, status, agent_id,
         1000 * extract(epoch from finished_at - created_at) as ms
    from job where id >= $1::uuid order by id desc limit ${JOBS_MAX}`;

const since = (now: Date) => lowestJobId(new Date(now.getTime() - MINUTES * 60_000));

/** Jobs by operation: pending ones, and the results of the last five minutes. */
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
  const watermarks = await findWatermarks(db);
  const pending = await rows(
    db,
    PENDING,
    `select operation, count(*)::int as pending,
            count(*) filter (where fault is not null and run_at < 'infinity')::int as failing,
            count(*) filter (where run_at = 'infinity')::int as resting,
            min(coalesce(run_at, created_at))
              filter (where coalesce(run_at, created_at) <= now()) as oldest_at
       from (select * from job
              where id >= $1::uuid and run_at is null and status = 'pending'
             union all
             select * from job
              where run_at >= $2::timestamptz and status = 'pending') waiting
      group by operation`,
    [watermarks.id, watermarks.at],
  );
  const names = new Set([...pending, ...recent].map(({ operation }) => operation));
  return [...names].toSorted().map((operation) => ({
    ...NONE,
    ...pending.find((one) => one.operation === operation),
    ...recent.find((one) => one.operation === operation),
    operation,
  }));
}

const BY_QUEUE = {
  queue: column.text,
  pending: column.int,
  failing: column.int,
  resting: column.int,
  oldest_at: nullable(column.time),
  done: column.int,
  refused: column.int,
  p50_ms: nullable(column.float),
  p99_ms: nullable(column.float),
};

/**
 * Jobs by queue, with the queue of each operation given: at most the first 20 000 that are pending,
 * and the results of the last five minutes.
 */
export async function jobsByQueue(
  db: Database,
  now: Date,
  queueOf: ReadonlyMap<string, string>,
): Promise<Row<typeof BY_QUEUE>[]> {
  const watermarks = await findWatermarks(db);
  return rows(
    db,
    BY_QUEUE,
    `with of_queue as (select * from unnest($2::text[], $3::text[]) as q(operation, queue)),
          newest as (${NEWEST}),
          recent as (
            select queue, count(*) filter (where status = 'complete')::int as done,
                   count(*) filter (where status = 'failed')::int as refused,
                   percentile_cont(0.5) within group (order by ms)::float8 as p50_ms,
                   percentile_cont(0.99) within group (order by ms)::float8 as p99_ms
              from newest join of_queue using (operation) group by queue),
          waiting as (
            (select operation, run_at, created_at, fault from job
              where id >= $4::uuid and run_at is null and status = 'pending'
              order by id limit ${JOBS_MAX})
            union all
            (select operation, run_at, created_at, fault from job
              where run_at >= $5::timestamptz and status = 'pending'
              order by run_at limit ${JOBS_MAX})),
          pending as (
            select queue, count(*)::int as pending,
                   count(*) filter (where fault is not null and run_at < 'infinity')::int
                     as failing,
                   count(*) filter (where run_at = 'infinity')::int as resting,
                   min(coalesce(run_at, created_at))
                     filter (where coalesce(run_at, created_at) <= now()) as oldest_at
              from waiting join of_queue using (operation) group by queue)
     select queue, coalesce(pending, 0) as pending, coalesce(failing, 0) as failing,
            coalesce(resting, 0) as resting, oldest_at, coalesce(done, 0) as done,
            coalesce(refused, 0) as refused, p50_ms, p99_ms
       from (select distinct queue from of_queue) every_queue
       left join recent using (queue) left join pending using (queue) order by queue`,
    [since(now), [...queueOf.keys()], [...queueOf.values()], watermarks.id, watermarks.at],
  );
}

const PACE = {
  jobs: column.int,
  seconds: column.float,
  p50_ms: nullable(column.float),
  p99_ms: nullable(column.float),
};

/** Speed of agents' calls in the last five minutes. */
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
