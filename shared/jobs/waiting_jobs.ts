import { column, row, type Database } from '../platform/rows.ts';

/**
 * For how many seconds the oldest job has been due that no dispatcher has pushed since; 0: there is
 * none. Looks where the dispatcher looks, so it costs the same however many jobs there are. What
 * was pushed and waits in Redis is the latency of its queue.
 */
export async function secondsOverdue(database: Database): Promise<number> {
  const { seconds } = await row(
    database,
    { seconds: column.float },
    `select coalesce(extract(epoch from greatest(
       (select now() - created_at from job
         where id >= (select id from dispatch_watermark where scan = 'immediate')
           and run_at is null and status = 'pending' order by id limit 1),
       (select now() - run_at from job
         where run_at >= (select at from dispatch_watermark where scan = 'delayed')
           and run_at <= now() and status = 'pending' order by run_at limit 1),
       interval '0')), 0)::float8 as seconds`,
  );
  return seconds;
}
