import { setTimeout as sleep } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';

import { transact } from '../../../shared/platform/database.ts';
import { resultAnswer, newJobId } from '../../../shared/jobs/jobs.ts';
import type { JobAnswer } from '../../../shared/kernel/terms/job_answer.ts';
import { perform } from '../../../shared/performing/perform.ts';
import { startBrokenWorker } from './broken_worker.ts';

// Wrong on purpose: the worker does not check whether a job is finished or held by another worker.
// A job that is delivered twice, because its worker seemed dead, is performed twice.

await startBrokenWorker(
  async (context, { op, input, caller, jobId, requestId }) => {
    const now = context.clock.now();
    // Not the job's id: orders.job_id is unique, and would prevent what this program must show.
    const call = { caller, key: newJobId(now), now, requestId };
    await sleep(500); // As slow as a job that uses the network.
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
