import { setTimeout as sleep } from 'node:timers/promises';

import { transact } from '../../../shared/platform/database.ts';
import { completed, newJobId, seal, type Answered } from '../../../shared/jobs/jobs.ts';
import { perform } from '../../../shared/kernel/perform.ts';
import type { World } from '../../../shared/kernel/context.ts';
import { startBroken } from './broken_worker.ts';

// Wrong on purpose: the effect of a job commits in one transaction and its end in another. Killed
// between the two, it leaves a job that looks as if it had never been done.

await startBroken(async (world, { op, input, caller, jobId, requestId }) => {
  if (!(await isPending(world, jobId))) return;
  const now = world.clock.now();
  // Not the job's id: orders.job_id is unique, and would catch what this program is to show.
  const call = { caller, key: newJobId(now), now, requestId };
  const result = await perform(world, op, input, call);
  await sleep(300);
  await finish(world, completed(jobId, result!));
}, finish);

async function finish(world: World, answer: Answered): Promise<void> {
  if (!(await isPending(world, answer.id))) return;
  await transact(world.database, (db) => seal(db, [answer]));
}

async function isPending({ database }: World, id: string): Promise<boolean> {
  const rows = await database.query(`select from job where id = $1 and status = 'pending'`, [id]);
  return rows.length === 1;
}
