import type { EntityManager } from 'typeorm';

import { findJobAnswers, type JobAnswer } from '../shared/jobs/jobs.ts';
import type { Batch } from '../shared/jobs/queue.ts';
import { catalog } from '../shared/kernel/catalog.ts';
import type { Context } from '../shared/kernel/context.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import { transact } from '../shared/platform/database.ts';
import { execute } from '../shared/platform/rows.ts';
import { beginGatherings } from './begin_gatherings.ts';
import type { Gatherings } from './gatherings.ts';
import { runJob } from './run_job.ts';

/** How many jobs are performed one by one at a time. */
const SINGLES_AT_ONCE = 4;
/** For each of five attempts. */
const LOCKS_MS_MAX = 100;

/** For jobs that ask outside systems, which go on when their batch has ended. */
interface Later {
  readonly gatherings: Gatherings;
  readonly report: (answers: JobAnswer[]) => Promise<void>;
}

/**
 * Performs the jobs of a batch: in one statement where their operation can do that, and one by one
 * whatever that left out. Returns the answers of all that are finished now. Without `later` that
 * is all of them.
 */
export async function runBatch(
  context: Context,
  batch: Batch,
  later?: Later,
): Promise<JobAnswer[]> {
  const { operation, attempts } = batch;
  const op = catalog.get(operation);
  const ids =
    op?.gather && later
      ? await beginGatherings(context, batch, later.gatherings, later.report)
      : batch.ids;
  const isRetry = attempts !== undefined;
  const together = op?.handleMany && !isRetry ? await handleTogether(context, op, ids) : [];

  const done = new Set(together.map(({ id }) => id));
  const left = ids.filter((id) => !done.has(id));
  const singles: (JobAnswer | null)[] = [];
  await Promise.all(
    Array.from({ length: SINGLES_AT_ONCE }, async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        singles.push(await runJob(context, id, attempts));
      }
    }),
  );
  const answers = [...together, ...singles.filter((answer) => answer !== null)];
  if (answers.length === ids.length) return answers;
  // The others were finished before, or wait for another attempt: waiters get what there is.
  const known = new Set(answers.map(({ id }) => id));
  const others = ids.filter((id) => !known.has(id));
  return [...answers, ...(await findJobAnswers(context.database, others))];
}

async function handleTogether(
  context: Context,
  op: AnyOperation,
  ids: readonly string[],
): Promise<readonly JobAnswer[]> {
  const isSingle = ids.length === 1;
  crashPoint(isSingle ? 'W0' : 'F0', ids);
  try {
    const answers = await op.handleMany!(context.database, ids);
    crashPoint(isSingle ? 'W5' : 'F2', ids);
    return answers;
  } catch (error) {
    // One row that fails must not harm the others, so each is tried by itself. Whatever happened to
    // a connection that was lost, rows that are finished are found so.
    context.log.warn({ err: error, operation: op.name }, 'a batch failed; its jobs go one by one');
    await waitForLocks(context, ids);
    return [];
  }
}

/**
 * PostgreSQL reports an error before it gives back the locks of the statement. Until then the jobs
 * look as if another worker held them, and would wait for their next push.
 */
async function waitForLocks({ database }: Context, ids: readonly string[]): Promise<void> {
  const work = async (db: EntityManager) => {
    await execute(db, `select set_config('lock_timeout', '${LOCKS_MS_MAX}', true)`);
    await execute(db, 'select id from job where id = any ($1) order by id for update', [ids]);
  };
  // Another worker holds one of them, or PostgreSQL is away: each job finds out for itself.
  await transact(database, work).catch(() => undefined);
}
