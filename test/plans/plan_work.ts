import type { TestPlatform } from '../harness.ts';

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Plan[];
}

/** The work of a statement. */
interface PlanWork {
  /** Rows that any of its nodes has handed on or left out, again for each time it did so. */
  readonly rows: number;
  /** Tables that it may read. */
  readonly tables: ReadonlySet<string>;
}

/** Performs the statement, and counts its work. */
export async function workOf(platform: TestPlatform, sql: string): Promise<PlanWork> {
  const [explained] = await platform.query(`explain (analyze, timing off, format json) ${sql}`);
  const nodes = nodesOf(explained['QUERY PLAN'][0].Plan);
  return {
    rows: nodes.reduce((sum, node) => sum + rowsOf(node), 0),
    tables: new Set(nodes.flatMap((node) => node['Relation Name'] ?? [])),
  };
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** Loops count too: an index that is probed and has nothing is work. */
const rowsOf = (node: Plan) =>
  node['Actual Loops'] *
  (1 +
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Join Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0));
