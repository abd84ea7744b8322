import { setImmediate } from 'node:timers/promises';

import { column, nullable, row, rows, type Database } from '../../../platform/rows.ts';
import type { LaborTask } from '../labor_task.ts';
import { alphaOf, valuesOf, type Values } from '../verification/agreement.ts';

/**
 * Maximum units that are compared, and characters of their answers: all of a small task, and of a
 * large one as many, spread evenly, so that a call costs no more than some pages of results.
 */
const UNITS_MAX = 2_000;
const CHARACTERS_MAX = 500_000;
/** Units that are read at once. */
const STEP = 200;

interface TaskAlpha {
  readonly alpha: number | null;
  /** The number of units with two answers that it is of. */
  readonly units: number;
}

/** Krippendorff's alpha of the units of a task that were given out, for nominal data. */
export async function taskAlpha(
  db: Database,
  task: LaborTask & { readonly id: number },
): Promise<TaskAlpha> {
  const { furthest } = await row(
    db,
    { furthest: nullable(column.int) },
    'select max(position) as furthest from labor_worker where task_id = $1',
    [task.id],
  );
  // Units with known answers are drawn from all, whatever the position of their worker.
  const given = task.gold > 0 ? task.units : (furthest ?? 0);
  const count = Math.min(given, UNITS_MAX);
  const places = Array.from({ length: count }, (_, i) => Math.floor((i * given) / count) + 1);
  const known = new Map<string, number>();
  const found: Values[] = [];
  let characters = 0;
  // From all parts of the task at each step, because there may be no budget for the last.
  const steps = Math.ceil(count / STEP);
  for (let step = 0; step < steps && characters < CHARACTERS_MAX; step += 1) {
    const units = await rows(
      db,
      { submissions: column.texts },
      `select array_agg(c.submission order by c.id) as submissions
         from labor_unit u join labor_claim c on c.unit_id = u.id
        where u.task_id = $1 and u.n = any ($2::int[])
          and c.submission is not null and (c.for_poster or c.status <> 'verifying')
        group by u.id having count(*) > 1`,
      [task.id, places.filter((_, i) => i % steps === step)],
    );
    for (const { submissions } of units) {
      found.push(valuesOf(task, submissions, known));
      characters += submissions.reduce((sum, text) => sum + text.length, 0);
      // Other calls go on meanwhile.
      await setImmediate();
    }
  }
  return { alpha: alphaOf(found), units: found.length };
}
