import type { DataSource } from 'typeorm';

import type { Secrets } from '../../shared/platform/secrets.ts';

/** Compares what clients were told with what the database holds, and counts what it compared. */
export interface Comparison {
  readonly database: DataSource;
  readonly secrets: Secrets;
  /** How many of each kind were compared. */
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  /** One object of this kind; both are equal as JSON, or it is a violation. */
  readonly same: (kind: string, what: string, values: { found: unknown; told: unknown }) => void;
}

export function openComparison(database: DataSource, secrets: Secrets): Comparison {
  const counts: Record<string, number> = {};
  const violations: string[] = [];
  return {
    database,
    secrets,
    counts,
    violations,
    same(kind, what, { found, told }) {
      counts[kind] = (counts[kind] ?? 0) + 1;
      const [is, must] = [JSON.stringify(found), JSON.stringify(told)];
      if (is !== must) violations.push(`${what}: the database has ${is}, and must have ${must}`);
    },
  };
}
