import { execute, type Database } from '../../platform/rows.ts';
import type { LockedTask } from './locked_tasks.ts';

/** Stores the poster's review of the submitted result. */
export async function review(
  db: Database,
  { submission_id }: LockedTask,
  statement: string,
): Promise<void> {
  await execute(db, 'update submission set review = $2 where id = $1', [submission_id, statement]);
}
