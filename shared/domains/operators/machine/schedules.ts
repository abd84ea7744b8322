import type { Tx } from '../../../kernel/tx.ts';
import { column, nullable, rows } from '../../../platform/rows.ts';

/** Periods that are looked back: a run that takes longer than one leaves out the next. */
const PERIODS = 5;

const RUN = {
  operation: column.text,
  run_at: column.time,
  finished_at: nullable(column.time),
  fault: nullable(column.text),
};
const FAILED = { operation: column.text, rows: column.int };

/**
 * The timers, with their last run. Their jobs are found by the causes that the dispatcher gives
 * them (`<operation>:<period>`), so the cost does not grow with the number of jobs.
 */
export async function findSchedules({
  db,
  now,
  operations,
}: Pick<Tx, 'db' | 'now' | 'operations'>) {
  const timers = [...operations].flatMap(([name, { everyMs }]) =>
    everyMs === undefined ? [] : [{ name, everyMs }],
  );
  const periodOf = (everyMs: number, back: number) =>
    new Date((Math.floor(now.getTime() / everyMs) - back) * everyMs).toISOString();
  const causes = timers.flatMap(({ name, everyMs }) =>
    Array.from({ length: PERIODS }, (_, back) => `${name}:${periodOf(everyMs, back)}`),
  );
  const runs = await rows(
    db,
    RUN,
    `select distinct on (operation) operation, created_at as run_at,
            finished_at, fault
       from job where cause = any ($1) order by operation, id desc`,
    [causes],
  );
  const failed = await rows(
    db,
    FAILED,
    'select operation, count(*)::int as rows from sweep_fault group by operation',
  );
  return timers
    .map(({ name, everyMs }) => {
      const run = runs.find(({ operation }) => operation === name);
      return {
        operation: name,
        every_seconds: everyMs / 1_000,
        last_run_at: run?.run_at.toISOString() ?? null,
        finished_at: run?.finished_at?.toISOString() ?? null,
        next_run_at: periodOf(everyMs, -1),
        fault: run?.fault ?? null,
        failed_rows: failed.find(({ operation }) => operation === name)?.rows ?? 0,
      };
    })
    .toSorted((a, b) => (a.operation < b.operation ? -1 : 1));
}
