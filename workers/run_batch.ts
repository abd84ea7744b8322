import type { EntityManager } from 'typeorm';

import { findJobAnswers } from '../shared/jobs/jobs.ts';
import type { JobAnswer } from '../shared/kernel/terms/job_answer.ts';
import type { Batch } from '../shared/jobs/queue.ts';
import { batcher } from '../shared/jobs/batcher.ts';
import { catalog } from '../shared/composition/catalog.ts';
import type { Context } from '../shared/composition/context.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import { transact } from '../shared/platform/database.ts';
import { execute } from '../shared/platform/rows.ts';
import { beginGatherings } from './begin_gatherings.ts';
import { inBatchSpans } from './telemetry/job_spans.ts';
import type { NetworkJobs } from './network_jobs.ts';
import { takenOf } from './job_row.ts';
import { runJob } from './run_job.ts';

/** Jobs that are performed one by one at the same time. */
const SINGLES_AT_ONCE = 4;
/** Jobs of a batch that is a statement of its own. Smaller ones are joined until they are full. */
const FULL_JOBS = 32;
/** Maximum time of each of five attempts. */
const LOCKS_MS_MAX = 100;

/** Work that the batches of a process share. */
interface SharedWork {
  readonly performTogether: PerformTogether;
  /** Jobs that ask outside systems, which go on after their batch has ended. */
  readonly gatherings: NetworkJobs;
  readonly report: (answers: JobAnswer[]) => Promise<void>;
}

/**
 * Performs the jobs of a batch: in one statement if their operation can do that, and one by one if
 * the statement left them out. Returns the answers of all jobs that are finished now. Without
 * `shared` these are all.
 */
export async function runBatch(
  context: Context,
  batch: Batch,
  shared?: SharedWork,
): Promise<JobAnswer[]> {
  const { operation, attempts } = batch;
  const op = catalog.get(operation);
  const ids =
    op?.gather && shared
      ? await beginGatherings(context, batch, shared.gatherings, shared.report)
      : batch.ids;
  const isRetry = attempts !== undefined;
  const performTogether = shared?.performTogether ?? handleTogether;
  const taken = op?.batch && !isRetry ? await takenOf(context, op, batch) : [];
  const together = taken.length > 0 ? await performTogether(context, op!, taken) : [];

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

/**
 * Performs jobs in one statement; small batches wait here while one of their operation is in hand,
 * and become one. Each API process makes batches of its own calls, so the more of them there are,
 * the smaller is a batch, and the more a call costs PostgreSQL.
 */
export function openStatements(): PerformTogether {
  const byOperation = new Map<string, (ids: Ids) => Promise<readonly JobAnswer[]>>();
  return (context, op, ids) => {
    if (ids.length >= FULL_JOBS) return handleTogether(context, op, ids);
    let join = byOperation.get(op.name);
    if (!join) {
      const perform = async (batches: Ids[]) => {
        const answers = await handleTogether(context, op, batches.flat());
        const byId = new Map(answers.map((answer) => [answer.id, answer]));
        return batches.map((batch) => batch.flatMap((id) => byId.get(id) ?? []));
      };
      join = batcher(perform, {
        size: FULL_JOBS,
        weightOf: (batch) => batch.length,
        maxInFlight: 1,
        maxPending: Infinity, // BullMQ's concurrency bounds it.
      });
      byOperation.set(op.name, join);
    }
    return join(ids);
  };
}

type Ids = readonly string[];
type PerformTogether = (
  context: Context,
  op: AnyOperation,
  ids: Ids,
) => Promise<readonly JobAnswer[]>;

async function handleTogether(
  context: Context,
  op: AnyOperation,
  ids: Ids,
): Promise<readonly JobAnswer[]> {
  const isSingle = ids.length === 1;
  crashPoint(isSingle ? 'W0' : 'F0', ids);
  try {
    const answers = await inBatchSpans(context, op, ids, () =>
      op.batch!.handleMany(context.database, ids),
    );
    crashPoint(isSingle ? 'W5' : 'F2', ids);
    context.schemaFit.noteSuccess(op.name);
    return answers;
  } catch (error) {
    // One failing row must not harm the others, so each is attempted by itself. If a lost
    // connection had committed some rows, they are found finished.
    context.log.warn({ err: error, operation: op.name }, 'a batch failed; its jobs go one by one');
    await waitForLocks(context, ids);
    return [];
  }
}

/**
 * Waits for the locks of a failed statement: PostgreSQL reports an error before it releases them.
 * Until then the jobs look as if another worker held them, and would wait for their next push.
 */
async function waitForLocks({ database }: Context, ids: readonly string[]): Promise<void> {
  const work = async (db: EntityManager) => {
    await execute(db, `select set_config('lock_timeout', '${LOCKS_MS_MAX}', true)`);
    await execute(db, 'select id from job where id = any ($1) order by id for update', [ids]);
  };
  // Another worker holds one of them, or PostgreSQL is away: each job finds out for itself.
  await transact(database, work).catch(() => undefined);
}
