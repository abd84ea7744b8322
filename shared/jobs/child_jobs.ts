import type { EntityManager } from 'typeorm';

import type { Tx } from '../kernel/tx.ts';
import { column, execute, jsonOf, row, rows } from '../platform/rows.ts';
import { dueAt } from './due_at.ts';

/**
 * A job may start other jobs and wait for them: it returns WAIT_FOR_CHILD_JOBS and stays pending
 * until they have ended. Each child counts up the `progress` of its parent in its own transaction;
 * the last one queues the parent for a worker. The answers of children are read from their rows.
 */
interface ChildJobs {
  /** The job that started them. */
  readonly parent: string;
  /** The cause given to `enqueueAll`, which started all of them. */
  readonly cause: string;
  readonly count: number;
}

/** Time after which a child that failed without counting itself is noticed. */
const LOOK_EVERY_MS = 15_000;
/** Time after which a queued parent is due again, in case its push was lost. */
const LOST_AFTER_MS = 250;

/** Number of child jobs, and of those that are pending. */
export async function childJobCounts(
  db: EntityManager,
  children: ChildJobs,
): Promise<{ started: number; pending: number }> {
  return row(
    db,
    { started: column.int, pending: column.int },
    `select count(*)::int as started, count(*) filter (where status = 'pending')::int as pending
       from job where cause = any ($1)`,
    [causesOf(children)],
  );
}

/** The answers of the child jobs in the order in which they were started; undefined: failed. */
export async function childJobAnswers(
  db: EntityManager,
  children: ChildJobs,
): Promise<(object | undefined)[]> {
  const found = await rows(
    db,
    { cause: column.text, answer: jsonOf<object>() },
    `select cause, answer from job where cause = any ($1) and status = 'complete'`,
    [causesOf(children)],
  );
  const answers = new Map(found.map(({ cause, answer }) => [cause, answer]));
  return causesOf(children).map((cause) => answers.get(cause));
}

/** Leaves the parent pending while its children are. `total` is the sum of their counts. */
export async function awaitChildJobs(
  db: EntityManager,
  parent: string,
  total: number,
): Promise<void> {
  await execute(
    db,
    // Waiting does not count as an attempt.
    `update job set attempts = 0, run_at = ${dueAt(`$2 * interval '1 ms'`)},
                    push_after = null,
                    progress = coalesce(progress, jsonb_build_object('done', 0, 'total', $3::int))
      where id = $1`,
    [parent, LOOK_EVERY_MS, total],
  );
}

/**
 * Counts a child, and queues the parent for a worker after the last one. Call it last in the
 * transaction of the child.
 */
export async function countChildJob(tx: Tx, parent: string, count: number): Promise<void> {
  const [counted] = await rows(
    tx.db,
    { operation: column.text, is_last: column.boolean },
    `update job set progress = jsonb_set(progress, '{done}', to_jsonb(next.done)),
                    run_at = case when next.is_last then ${dueAt(`$3 * interval '1 ms'`)}
                                  else run_at end,
                    push_after = case when not next.is_last then push_after end
       from (select id, (progress->>'done')::int + $2 as done,
                    (progress->>'done')::int + $2 >= (progress->>'total')::int as is_last
               from job where id = $1 and status = 'pending' for update) next
      where job.id = next.id
      returning job.operation, next.is_last`,
    [parent, count, LOST_AFTER_MS],
  );
  if (counted?.is_last) tx.wakeJob({ id: parent, operation: counted.operation });
}

const causesOf = ({ parent, cause, count }: ChildJobs): string[] =>
  Array.from({ length: count }, (_, n) => `${parent}/${cause}/${n}`);
