import { operation } from '../kernel/operation.ts';
import { execute } from '../platform/rows.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { KEPT_HOURS, lowestJobId } from './jobs.ts';

export const JOBS_MAX = 5_000;

/**
 * Deletes calls that ended long ago: their keys are free again, and their answers gone. What they
 * did stays. A child job is kept as long as its parent is pending.
 */
export const forgetOldJobs = operation({
  name: 'forget_old_jobs',
  title: 'Forget old jobs',
  summary: `Internal: deletes the rows of calls that ended more than ${KEPT_HOURS} hours ago.`,
  access: 'operator',
  mode: 'job',
  domain: 'jobs',
  queue: 'timers',
  everyMs: 10 * 60_000,
  input: Input({}),
  output: Output({ forgotten: Type.Integer({ description: 'How many jobs.' }) }),

  async handle(tx) {
    // No job is older than its id, and none ended before it began: the oldest rows are all there is
    // to look at, and few of those stay.
    const endedBefore = new Date(tx.now.getTime() - KEPT_HOURS * 3_600_000);
    const forgotten = await execute(
      tx.db,
      `delete from job where id in (
         select id from job
          where id < $1 and status <> 'pending' and finished_at < $2
            and not exists (
              select from job parent where parent.status = 'pending' and parent.id = case
                when job.cause ~ '^[0-9a-f-]{36}/' then left(job.cause, 36)::uuid end)
          order by id limit $3 for update skip locked)`,
      [lowestJobId(endedBefore), endedBefore, JOBS_MAX],
    );
    if (forgotten === JOBS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { forgotten };
  },
});

/** For what one transaction should not hold. */
const itself = { name: 'forget_old_jobs', queue: 'timers', input: Input({}) } as const;
