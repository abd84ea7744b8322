import { dueAt } from '../shared/jobs/due_at.ts';
import type { JobAnswer } from '../shared/jobs/jobs.ts';
import type { Batch } from '../shared/jobs/queue.ts';
import type { Context } from '../shared/kernel/context.ts';
import { column, execute, rows } from '../shared/platform/rows.ts';
import type { Gatherings } from './gatherings.ts';
import { runJob } from './run_job.ts';

/**
 * A job that was put off is due again when it has waited as long again, within these bounds: so
 * however many an agent has, each is put off only a few times.
 */
const PUT_OFF_MS_MIN = 250;
const PUT_OFF_MS_MAX = 60_000;

/**
 * Begins the jobs among these, which ask outside systems, that are of agents. Reports the answer of
 * each when it has one. Those beyond the share of their tree are put off. Returns the ids of all
 * others: those of the platform itself, and those that are not pending.
 */
export async function beginGatherings(
  context: Context,
  { ids, attempts }: Pick<Batch, 'ids' | 'attempts'>,
  gatherings: Gatherings,
  report: (answers: JobAnswer[]) => Promise<void>,
): Promise<string[]> {
  const begun = await rows(
    context.database,
    { id: column.text, root_id: column.id },
    `select id, root_id from job
      where id = any ($1) and root_id <> 0 and status = 'pending' and deferral is null
      order by id`,
    [ids],
  );
  const beyondShare = begun.filter(
    ({ id, root_id: tree }) =>
      !gatherings.begin(tree, async () => {
        const answer = await runJob(context, id, attempts);
        if (answer) await report([answer]);
      }),
  );
  if (beyondShare.length > 0) {
    const late = beyondShare.map(({ id }) => id);
    await putOff(context, late, attempts ?? 0);
  }
  const known = new Set(begun.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

/**
 * They are due again later, as if they had not been pushed. Not one that another worker has begun.
 */
async function putOff(context: Context, ids: readonly string[], attempts: number): Promise<void> {
  const waited = `least(greatest(now() - created_at, $3 * interval '1 ms'), $4 * interval '1 ms')`;
  await execute(
    context.database,
    `update job set run_at = ${dueAt(waited)}, push_after = null
      where id in (select id from job
                    where id = any ($1) and status = 'pending' and attempts = $2
                      and (run_at is not null or push_after is null)
                      for update skip locked)`,
    [ids, attempts, PUT_OFF_MS_MIN, PUT_OFF_MS_MAX],
  );
}
