import { column, row, type Database } from '../platform/rows.ts';

/**
 * How far the two scans of the dispatcher have come: no job below is pending. As parameters of a
 * statement they are known to the planner; by a sub-select it would expect a third of all jobs
 * above, and read the table.
 */
export const findWatermarks = (db: Database): Promise<{ id: string; at: string }> =>
  row(
    db,
    { id: column.text, at: column.text },
    `select (select id from dispatch_watermark where scan = 'immediate')::text as id,
            (select at from dispatch_watermark where scan = 'delayed')::text as at`,
  );

/**
 * Seconds since the oldest job that no dispatcher has pushed was due; 0: there is none. Reads the
 * same rows as the dispatcher, so the cost does not grow with the number of jobs. Jobs that were
 * pushed and wait in Redis are measured by the latency of their queue.
 */
export async function secondsOverdue(database: Database): Promise<number> {
  const { id, at } = await findWatermarks(database);
  const { seconds } = await row(
    database,
    { seconds: column.float },
    `select coalesce(extract(epoch from greatest(
       (select now() - created_at from job
         where id >= $1::uuid
           and run_at is null and status = 'pending' order by id limit 1),
       (select now() - run_at from job
         where run_at >= $2::timestamptz
           and run_at <= now() and status = 'pending' order by run_at limit 1),
       interval '0')), 0)::float8 as seconds`,
    [id, at],
  );
  return seconds;
}

/** Jobs that are due and have not ended. */
export interface DueJobs {
  readonly waiting: number;
  /** Seconds since the first of them was due; 0: none is. */
  readonly seconds: number;
}

/** Maximum jobs that are counted: beyond them the number says nothing more. */
const DUE_MAX = 10_000;

/** Counts what the dispatcher scans, so the cost does not grow with the number of ended jobs. */
export async function findDueJobs(db: Database): Promise<DueJobs> {
  const { id, at } = await findWatermarks(db);
  return row(
    db,
    { waiting: column.int, seconds: column.float },
    `select count(*)::int as waiting,
            coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as seconds
       from ((select created_at as due_at from job
               where id >= $1::uuid and run_at is null and status = 'pending'
               order by id limit ${DUE_MAX})
             union all
             (select run_at from job
               where run_at >= $2::timestamptz and run_at <= now() and status = 'pending'
               order by run_at limit ${DUE_MAX})) due`,
    [id, at],
  );
}
