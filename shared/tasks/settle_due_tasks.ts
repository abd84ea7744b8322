import { isAttemptDue, sweep } from '../jobs/sweep.ts';
import { operation } from '../kernel/operation.ts';
import { Input, Output, Type } from '../kernel/schema.ts';
import { column, rows, type Database } from '../platform/rows.ts';
import { lockTasksAndTrees, type LockedTask } from './locked_tasks.ts';
import { approval, refundOf, settle, type Ending } from './settle.ts';

const NAME = 'settle_due_tasks';
const TASKS_MAX = 200;

/**
 * Ends the tasks whose deadline has come. Submitted work of a worker that nobody has judged in time
 * is approved; the budget of what was not submitted in time, or was rejected and not disputed, goes
 * back.
 */
export const settleDueTasks = operation({
  name: NAME,
  title: 'Settle due tasks',
  summary: 'Internal: ends tasks whose deadline has come, and pays or refunds them.',
  access: 'operator',
  mode: 'job',
  domain: 'tasks',
  queue: 'timers',
  everyMs: 60_000,
  input: Input({}),
  output: Output({
    settled: Type.Integer({ description: 'How many tasks.' }),
    failed: Type.Integer({ description: 'How many could not be settled; see list_faults.' }),
  }),

  async handle(tx) {
    const found = await findDue(tx.db);
    const locked = await lockTasksAndTrees(tx.db, found);
    // Somebody may have acted while this transaction waited for the locks.
    const due = new Set(await findDue(tx.db));
    const { done, failed } = await sweep(tx, {
      operation: NAME,
      items: locked.filter(({ id }) => due.has(id)),
      work: (tasks) => settle(tx, tasks.map(endingOf)),
    });
    if (found.length === TASKS_MAX) await tx.enqueue(itself, {}, { cause: 'rest' });
    return { settled: done, failed };
  },
});

/** It starts itself again for the tasks that are too many for one transaction. */
const itself = { name: NAME, queue: 'timers', input: Input({}) } as const;

async function findDue(db: Database): Promise<number[]> {
  const found = await rows(
    db,
    { id: column.id },
    `select id from task
      where deadline <= now() and ${isAttemptDue(NAME, 'task.id')}
      order by deadline limit $1`,
    [TASKS_MAX],
  );
  return found.map(({ id }) => id);
}

function endingOf(task: LockedTask): Ending {
  if (task.status === 'submitted') return approval(task);
  return refundOf(task, task.status === 'rejected' ? 'refunded' : 'expired');
}
