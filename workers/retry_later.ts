import { dueAt } from '../shared/jobs/due_at.ts';
import type { Context } from '../shared/composition/context.ts';
import { execute } from '../shared/platform/rows.ts';

/**
 * A job is due again after half of the time that it has waited, within these bounds: so however
 * many jobs an agent has, each is deferred only a few times, and those that are left at the end
 * wait for little more than the work before them took.
 */
const PUT_OFF_MS_MIN = 250;
const PUT_OFF_MS_MAX = 60_000;

/**
 * Makes jobs due later, as if they had not been pushed. Leaves out jobs that another worker began.
 */
export async function retryLater(
  context: Context,
  ids: readonly string[],
  attempts: number,
): Promise<void> {
  const wait = `greatest((now() - created_at) / 2, $3 * interval '1 ms')`;
  await execute(
    context.database,
    `update job set run_at = ${dueAt(`least(${wait}, $4 * interval '1 ms')`)}, push_after = null
      where id in (select id from job
                    where id = any ($1) and status = 'pending' and attempts = $2
                      and (run_at is not null or push_after is null)
                      for update skip locked)`,
    [ids, attempts, PUT_OFF_MS_MIN, PUT_OFF_MS_MAX],
  );
}

/** Makes a job that this worker began due after `ms`, as if it had not begun. */
export async function putOffBegun(
  context: Context,
  { id, attempts, attemptsBefore }: { id: string; attempts: number; attemptsBefore: number },
  ms: number,
): Promise<void> {
  await execute(
    context.database,
    `update job set run_at = ${dueAt(`$4 * interval '1 ms'`)}, push_after = null, attempts = $3
      where id in (select id from job
                    where id = $1 and status = 'pending' and attempts = $2 and deferral is null
                      for update skip locked)`,
    [id, attempts, attemptsBefore, ms],
  );
}
