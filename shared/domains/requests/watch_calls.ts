import { sweepTimer } from '../../jobs/timers/timer.ts';
import { toUsd } from '../../kernel/money.ts';
import type { Tx } from '../../kernel/tx.ts';
import { column, execute, nullable, row, rows, type Row } from '../../platform/rows.ts';
import { emit } from '../events/events.ts';
import { CallAlert } from './call_alert.ts';
import { TAKEN_BY_JOB, takingFields } from './ended_jobs.ts';

const HOUR_MS = 3_600_000;

const DUE = {
  id: column.id,
  ...CallAlert.columns,
  errors_told_at: nullable(column.time),
  cost_told_at: nullable(column.time),
};

export const watchCalls = sweepTimer({
  name: 'watch_calls',
  title: 'Watch calls',
  summary: 'Internal: tells owners of many errors, and of costs, in the calls of an hour.',
  everyMs: 60_000,
  done: ['watched', 'Owners whose calls were counted.'],
  rowsMax: 200,
  due: {
    table: 'call_alert',
    id: 'root_id',
    where: `(errors_percent is not null or cost_above is not null)
            and checked_at < now() - interval '50 seconds'`,
    order: 'checked_at',
  },
  lock: (db, ids) =>
    rows(
      db,
      DUE,
      `select root_id as id, errors_percent, calls_min, cost_above, errors_told_at, cost_told_at
         from call_alert where root_id = any ($1) order by root_id for update`,
      [ids],
    ),

  async work(tx, alerts) {
    for (const alert of alerts) await watch(tx, alert);
  },
});

async function watch(tx: Tx, alert: Row<typeof DUE>): Promise<void> {
  const { id, errors_percent: percent, calls_min: least, cost_above: most } = alert;
  const { calls, errors, cost } = await countHour(tx, id);
  const isFailing =
    percent !== null &&
    calls >= least &&
    errors * 100 > calls * percent &&
    isOld(alert.errors_told_at);
  const isCostly = most !== null && cost > most && isOld(alert.cost_told_at);
  await execute(
    tx.db,
    `update call_alert set checked_at = now(),
            errors_told_at = case when $2 then $4::timestamptz else errors_told_at end,
            cost_told_at = case when $3 then $4::timestamptz else cost_told_at end
      where root_id = $1`,
    [id, isFailing, isCostly, tx.now],
  );
  const object = { kind: 'agent' as const, id, status: 'active' };
  const data = { calls, errors, amount: toUsd(cost) };
  await emit(tx.db, [
    ...(isFailing ? [{ agentId: id, type: 'agent.calls_failing' as const, object, data }] : []),
    ...(isCostly ? [{ agentId: id, type: 'agent.calls_costly' as const, object, data }] : []),
  ]);

  function isOld(toldAt: Date | null): boolean {
    return toldAt === null || tx.now.getTime() - toldAt.getTime() >= HOUR_MS;
  }
}

/** The calls of the last hour; those answered 202 cost what their jobs have taken so far. */
const countHour = (tx: Tx, rootId: number) =>
  row(
    tx.db,
    { calls: column.int, errors: column.int, cost: column.micros },
    `select coalesce(sum(r.calls), 0)::int as calls,
            coalesce(sum(r.calls) filter (where r.status >= 400), 0)::int as errors,
            coalesce(sum(coalesce(r.cost, ${TAKEN_BY_JOB})), 0)::bigint as cost
       from request r
       left join unnest($3::text[], $4::text[]) as t(name, field)
         on t.name = r.operation and r.status = 202
       left join job j on j.id = r.job_id and t.name is not null
      where r.root_id = $1 and r.at >= $2`,
    [rootId, new Date(tx.now.getTime() - HOUR_MS), ...takingFields(tx)],
  );
