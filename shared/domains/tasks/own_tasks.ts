import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { column, rows } from '../../platform/rows.ts';
import { lockTasks, type LockedTask } from './locked_tasks.ts';
import type { TaskStatus } from './task.ts';
import { noSuchTask } from './task_view.ts';

/**
 * Locks, by `lock`, a task that the caller or an agent below it posted. Everybody sees tasks, so
 * another's is `forbidden`.
 */
export async function lockPostedTask(
  tx: Tx,
  taskId: number,
  lock: typeof lockTasks = lockTasks,
): Promise<LockedTask> {
  const [task] = await rows(
    tx.db,
    { posts: column.boolean },
    `select $2 = any (poster.lineage) as posts
       from task t join agent poster on poster.id = t.poster_id where t.id = $1`,
    [taskId, tx.caller.agentId],
  );
  if (!task) throw noSuchTask(taskId);
  if (!task.posts) {
    throw new Refusal(
      'forbidden',
      'Only the agent that posted this task, or one above it, may do that.',
    );
  }
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
