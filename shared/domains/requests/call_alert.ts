import { toUsd } from '../../kernel/money.ts';
import { Amount, Nullable, Output, Type } from '../../kernel/schema.ts';
import { column, nullable, rows, type Database, type Row } from '../../platform/rows.ts';

export const CALLS_MIN = 20;

/** When an owner is told of the calls of its tree. */
export const CallAlert = Output('CallAlert', {
  errors_percent: Nullable(
    Type.Integer({ description: 'Told above this share of errors; null: never.' }),
  ),
  calls_min: Type.Integer({ description: 'Errors of fewer calls in an hour are not told.' }),
  cost_above: Nullable(Amount('Told above this cost of an hour; null: never.')),
});

export const ALERT = {
  errors_percent: nullable(column.int),
  calls_min: column.int,
  cost_above: nullable(column.micros),
};

export async function findCallAlert(db: Database, rootId: number): Promise<Row<typeof ALERT>> {
  const sql = 'select errors_percent, calls_min, cost_above from call_alert where root_id = $1';
  const [alert] = await rows(db, ALERT, sql, [rootId]);
  return alert ?? { errors_percent: null, calls_min: CALLS_MIN, cost_above: null };
}

export const callAlertView = (alert: Row<typeof ALERT>) => ({
  ...alert,
  cost_above: alert.cost_above === null ? null : toUsd(alert.cost_above),
});
