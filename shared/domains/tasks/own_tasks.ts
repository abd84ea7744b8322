import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { assertPosted } from '../deals/posted.ts';
import { lockTasks, type LockedTask } from './locked_tasks.ts';
import type { TaskStatus } from './task.ts';
import { noSuchTask } from './task_view.ts';

/** Locks, by `lock`, a task that the caller or an agent below it posted. */
export async function lockPostedTask(
  tx: Tx,
  taskId: number,
  lock: typeof lockTasks = lockTasks,
): Promise<LockedTask> {
  await assertPosted(tx, taskId, { table: 'task', noun: 'task', missing: noSuchTask });
  return (await lock(tx.db, [taskId]))[0]!;
}

/** Refuses unless the task is in one of these states. */
export function assertStatus({ id, status }: LockedTask, ...wanted: TaskStatus[]): void {
  if (wanted.includes(status)) return;
  const message = `Task ${id} is ${status.replaceAll('_', ' ')}; that cannot be done now.`;
  throw new Refusal('invalid_transition', message, { status });
}

/** Refuses a review after the review deadline, whether or not the timer has run since. */
export function assertReviewable(task: LockedTask, now: Date): void {
  assertStatus(task, 'submitted');
  if (task.review_deadline! > now) return;
  throw new Refusal(
    'invalid_transition',
    `The time to judge the work of task ${task.id} is over.`,
    {
      review_deadline: task.review_deadline!.toISOString(),
    },
  );
}

/** Refuses work and bids after the task is due, whether or not the timer has run since. */
export function assertInTime({ id, due_at }: LockedTask, now: Date): void {
  if (due_at > now) return;
  throw new Refusal('invalid_transition', `The time of task ${id} is over.`, {
    due_at: due_at.toISOString(),
  });
}
