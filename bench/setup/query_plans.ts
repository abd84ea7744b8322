import { readFileSync } from 'node:fs';

import type { DataSource } from 'typeorm';

import { execute } from '../../shared/platform/rows.ts';

/** Tables that grow with every purchase. Agents are few here: reading them all may be best. */
const GROWING = new Set([
  'job',
  'orders',
  'stock',
  'transfer',
  'event',
  'labor_unit',
  'labor_claim',
]);
/** Maximum rows of such a table in a statement: a page of products counts 1 000 units of each. */
const ROWS_MAX = 25_000;

/** Makes new sessions of the application log the plan of each statement from now on. */
export async function logPlans(admin: DataSource): Promise<void> {
  for (const [name, value] of [
    ['session_preload_libraries', 'auto_explain'],
    ['auto_explain.log_min_duration', '0'],
    ['auto_explain.log_analyze', 'on'],
    ['auto_explain.log_timing', 'off'],
    ['auto_explain.log_nested_statements', 'on'],
    ['auto_explain.log_format', 'json'],
  ]) {
    await execute(admin, `alter role market_app set ${name} = '${value}'`);
  }
}

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** Number of plans in the log, and their faults, each once. */
export function judgePlans(logFile: string): { read: number; wrong: string[] } {
  const log = readFileSync(logFile, 'utf8');
  const logged = [...log.matchAll(/ {2}plan:\n((?:\t.*\n)+)/g)].map(
    ([, json]) => JSON.parse(json!) as { 'Query Text': string; Plan: Plan },
  );
  const wrong = logged.flatMap(({ 'Query Text': query, Plan: plan }) => {
    const shown = query.replace(/\s+/g, ' ').slice(0, 160);
    return faultsOf(plan).map((fault) => `${fault}: ${shown}`);
  });
  return { read: logged.length, wrong: [...new Set(wrong)] };
}

function faultsOf(plan: Plan): string[] {
  const table = plan['Relation Name'] ?? '';
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const rows = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  const isScan = plan['Node Type'].includes('Scan') && GROWING.has(table);
  const own =
    isScan && plan['Node Type'] === 'Seq Scan'
      ? [`reads all of ${table}`]
      : isScan && rows > ROWS_MAX
        ? [`reads more than ${ROWS_MAX} rows of ${table}`]
        : [];
  return [...own, ...(plan.Plans ?? []).flatMap(faultsOf)];
}
