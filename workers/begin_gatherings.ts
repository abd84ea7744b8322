import type { JobAnswer } from '../shared/kernel/terms/job_answer.ts';
import type { Batch } from '../shared/jobs/queue.ts';
import type { Context } from '../shared/composition/context.ts';
import { column, rows } from '../shared/platform/rows.ts';
import type { NetworkJobs } from './network_jobs.ts';
import { retryLater } from './retry_later.ts';
import { runJob } from './run_job.ts';

/**
 * Begins those of these jobs that ask outside systems for an agent. Reports the answer of each when
 * it has one. Jobs beyond the share of their tree wait a moment for their turn, beside the batch,
 * and are then due again later. Returns the ids of all others: jobs of the platform itself, and
 * jobs that are not pending.
 */
export async function beginGatherings(
  context: Context,
  { ids, attempts }: Pick<Batch, 'ids' | 'attempts'>,
  gatherings: NetworkJobs,
  report: (answers: JobAnswer[]) => Promise<void>,
): Promise<string[]> {
  const begun = await rows(
    context.database,
    { id: column.text, root_id: column.id },
    `select id, root_id from job
      where id = any ($1) and root_id <> 0 and status = 'pending' and deferral is null
      order by id`,
    [ids],
  );
  const decided = begun.map(async ({ id, root_id: tree }) => {
    const isBegun = await gatherings.begin(tree, async () => {
      const answer = await runJob(context, id, attempts);
      if (answer) await report([answer]);
    });
    return isBegun ? [] : [id];
  });
  gatherings.follow(
    Promise.all(decided).then(async (ids) => {
      const late = ids.flat();
      if (late.length > 0) await retryLater(context, late, attempts ?? 0);
    }),
  );
  const known = new Set(begun.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
