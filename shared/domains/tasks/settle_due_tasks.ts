import { sweepTimer } from '../../jobs/timers/timer.ts';
import { lockTasksAndTrees, type LockedTask } from './locked_tasks.ts';
import { approval, refundOf, settle, type TaskOutcome } from './settle.ts';

/**
 * Ends the tasks whose deadline has come. A worker's submitted work that was not judged in time is
 * approved; the budget goes back if nothing was submitted in time, or a rejection was not disputed.
 */
export const settleDueTasks = sweepTimer({
  name: 'settle_due_tasks',
  title: 'Settle due tasks',
  summary: 'Internal: ends tasks whose deadline has come, and pays or refunds them.',
  everyMs: 60_000,
  done: ['settled', 'Tasks settled.'],
  rowsMax: 200,
  due: { table: 'task', where: 'deadline <= now()', order: 'deadline' },
  lock: (db, ids) => lockTasksAndTrees(db, ids),
  work: (tx, tasks) => settle(tx, tasks.map(endingOf)),
});

function endingOf(task: LockedTask): TaskOutcome {
  if (task.status === 'submitted') return approval(task);
  return refundOf(task, task.status === 'rejected' ? 'refunded' : 'expired');
}
