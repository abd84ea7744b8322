import { runAgain, timer } from '../../jobs/timers/timer.ts';
import { execute } from '../../platform/rows.ts';
import { Output, Type } from '../../kernel/schema.ts';
import { KEPT_HOURS, lowestJobId } from '../../jobs/jobs.ts';

export const JOBS_MAX = 5_000;

/**
 * Deletes calls that ended long ago: their keys are free again, and their answers are gone. Their
 * effects stay. A child job is kept as long as its parent is pending.
 */
export const forgetOldJobs = timer({
  name: 'forget_old_jobs',
  title: 'Forget old jobs',
  summary: `Internal: deletes the rows of calls that ended more than ${KEPT_HOURS} hours ago.`,
  everyMs: 10 * 60_000,
  output: Output({ forgotten: Type.Integer({ description: 'Number of jobs.' }) }),

  async handle(tx) {
    // Ids rise with time and a job ends after it began, so only the oldest rows need to be read,
    // and few of those stay.
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
    if (forgotten === JOBS_MAX) await runAgain(tx, 'forget_old_jobs');
    return { forgotten };
  },
});
