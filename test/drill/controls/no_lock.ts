import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';

import { transact } from '../../../shared/platform/database.ts';
import { resultAnswer, newJobId, type JobAnswer } from '../../../shared/jobs/jobs.ts';
import { perform } from '../../../shared/kernel/perform.ts';
import { startBroken } from './broken_worker.ts';

// Wrong on purpose: nobody looks whether a job is finished or in other hands before doing it. What
// is delivered twice, because its worker seemed dead, is done twice.

await startBroken(
  async (context, { op, input, caller, jobId, requestId }) => {
    const now = context.clock.now();
    // Not the job's id: orders.job_id is unique, and would catch what this program is to show.
    const call = { caller, key: newJobId(now), now, requestId };
    await sleep(200); // As slow as one that asks the network.
    await perform(context, op, input, call, {
      finish: (db, result) => finishIfPending(db, resultAnswer(jobId, result)),
    });
  },
  (context, answer) => transact(context.database, (db) => finishIfPending(db, answer)),
);

async function finishIfPending(db: EntityManager, answer: JobAnswer): Promise<void> {
  const { id, status, httpStatus, answer: text } = answer;
  await db.query(
    `update job set status = $2, http_status = $3, answer = $4, finished_at = now()
      where id = $1 and status = 'pending'`,
    [id, status, httpStatus, text],
  );
}
