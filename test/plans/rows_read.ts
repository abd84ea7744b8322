import type { TestPlatform } from '../harness.ts';
import type { Database } from '../../shared/platform/rows.ts';

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** How many rows of these tables a statement has read, whether it needed them or not. */
function readBy(plan: Plan, tables: readonly string[]): number {
  const rows =
    plan['Actual Rows'] +
    (plan['Rows Removed by Filter'] ?? 0) +
    (plan['Rows Removed by Index Recheck'] ?? 0);
  const own = tables.includes(plan['Relation Name'] ?? '') ? rows * plan['Actual Loops'] : 0;
  return (plan.Plans ?? []).reduce((sum, inner) => sum + readBy(inner, tables), own);
}

/**
 * How many rows of these tables the queries of `act` read. They find nothing: their plans are
 * performed instead. `answers`: these are followed by the queries themselves.
 */
export async function rowsRead(
  platform: TestPlatform,
  tables: readonly string[],
  act: (db: Database) => Promise<unknown>,
  { answers = false } = {},
): Promise<number> {
  let read = 0;
  const query = async (sql: string, parameters?: unknown[]): Promise<unknown[]> => {
    if (sql.includes('set_config')) return [];
    const [explained] = await platform.query(
      `explain (analyze, timing off, format json) ${sql}`,
      parameters,
    );
    read += readBy(explained['QUERY PLAN'][0].Plan, tables);
    return answers ? platform.query(sql, parameters) : [];
  };
  await act({ query } as Database);
  return read;
}
