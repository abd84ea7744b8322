import { setTimeout as sleep } from 'node:timers/promises';

import { transact } from '../../../shared/platform/database.ts';
import { resultAnswer, newJobId, finishJobs } from '../../../shared/jobs/jobs.ts';
import type { JobAnswer } from '../../../shared/kernel/terms/job_answer.ts';
import { perform } from '../../../shared/performing/perform.ts';
import type { Context } from '../../../shared/composition/context.ts';
import { startBrokenWorker } from './broken_worker.ts';

// Wrong on purpose: the effect of a job commits in one transaction and its answer in another.
// Killed between the two, the worker leaves a job that looks as if it had never been performed.

await startBrokenWorker(async (context, { op, input, caller, jobId, requestId }) => {
  if (!(await isPending(context, jobId))) return;
  const now = context.clock.now();
  // Not the job's id: orders.job_id is unique, and would prevent what this program must show.
  const call = { caller, key: newJobId(now), now, requestId };
  const outcome = await perform(context, op, input, call);
  await sleep(300);
  await finish(context, resultAnswer(jobId, outcome!.body));
}, finish);

async function finish(context: Context, answer: JobAnswer): Promise<void> {
  if (!(await isPending(context, answer.id))) return;
  await transact(context.database, (db) => finishJobs(db, [answer]));
}

async function isPending({ database }: Context, id: string): Promise<boolean> {
  const rows = await database.query(`select from job where id = $1 and status = 'pending'`, [id]);
  return rows.length === 1;
}
