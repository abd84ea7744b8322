import { Refusal } from '../../kernel/refusal.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, rows } from '../../platform/rows.ts';

/** A board of posted tasks: its table, their name in messages, the refusal of an unknown id. */
interface Board {
  readonly table: 'task' | 'labor_task';
  readonly noun: string;
  readonly missing: (taskId: number) => Refusal;
}

/**
 * Refuses unless the caller or an agent below it posted the task. Everybody sees tasks, so that of
 * another agent is `forbidden`.
 */
export async function assertPosted(
  { db, caller }: Pick<Tx, 'db' | 'caller'>,
  taskId: number,
  { table, noun, missing }: Board,
): Promise<void> {
  const [task] = await rows(
    db,
    { posts: column.boolean },
    `select $2 = any (poster.lineage) as posts
       from ${table} t join agent poster on poster.id = t.poster_id where t.id = $1`,
    [taskId, caller.agentId],
  );
  if (!task) throw missing(taskId);
  if (task.posts) return;
  const message = `Only the agent that posted this ${noun}, or one above it, may do that.`;
  throw new Refusal('forbidden', message);
}
