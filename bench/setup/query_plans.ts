import { readFileSync } from 'node:fs';

import type pg from 'pg';

/** The tables that grow with every purchase. Agents are few here: reading them all may be best. */
const BIG = new Set(['job', 'orders', 'stock', 'entry', 'event']);
/** What one statement may look at in one of them: a page of products counts 1 000 units of each. */
const ROWS_MAX = 25_000;

/** From now on new sessions of the application write the plan of each statement into the log. */
export async function writePlans(admin: pg.Client): Promise<void> {
  for (const [name, value] of [
    ['session_preload_libraries', 'auto_explain'],
    ['auto_explain.log_min_duration', '0'],
    ['auto_explain.log_analyze', 'on'],
    ['auto_explain.log_timing', 'off'],
    ['auto_explain.log_nested_statements', 'on'],
    ['auto_explain.log_format', 'json'],
  ]) {
    await admin.query(`alter role market_app set ${name} = '${value}'`);
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

/** How many plans were written, and what is wrong with them, each once. */
export function judgePlans(logFile: string): { read: number; wrong: string[] } {
  const log = readFileSync(logFile, 'utf8');
  const written = [...log.matchAll(/ {2}plan:\n((?:\t.*\n)+)/g)].map(
    ([, json]) => JSON.parse(json!) as { 'Query Text': string; Plan: Plan },
  );
  const wrong = written.flatMap(({ 'Query Text': query, Plan: plan }) => {
    const shown = query.replace(/\s+/g, ' ').slice(0, 160);
    return faultsOf(plan).map((fault) => `${fault}: ${shown}`);
  });
  return { read: written.length, wrong: [...new Set(wrong)] };
}

function faultsOf(plan: Plan): string[] {
  const table = plan['Relation Name'] ?? '';
  const removed =
    (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Index Recheck'] ?? 0);
  const rows = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  const isScan = plan['Node Type'].includes('Scan') && BIG.has(table);
  const own =
    isScan && plan['Node Type'] === 'Seq Scan'
      ? [`reads all of ${table}`]
      : isScan && rows > ROWS_MAX
        ? [`looks at more than ${ROWS_MAX} rows of ${table}`]
        : [];
  return [...own, ...(plan.Plans ?? []).flatMap(faultsOf)];
}
