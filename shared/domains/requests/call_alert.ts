import { field, view } from '../../kernel/view.ts';
import { rows, type Database } from '../../platform/rows.ts';

export const CALLS_MIN = 20;

/** When an owner is told of the calls of its tree. */
export const CallAlert = view('CallAlert', {
  errors_percent: field.orNull(field.whole('Told above this share of errors; null: never.')),
  calls_min: field.whole('Errors of fewer calls in an hour are not told.'),
  cost_above: field.orNull(field.amount('Told above this cost of an hour; null: never.')),
});

export async function findCallAlert(db: Database, rootId: number) {
  const sql = 'select errors_percent, calls_min, cost_above from call_alert where root_id = $1';
  const [alert] = await rows(db, CallAlert.columns, sql, [rootId]);
  return alert ?? { errors_percent: null, calls_min: CALLS_MIN, cost_above: null };
}
