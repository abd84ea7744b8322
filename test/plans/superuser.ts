import pg from 'pg';

import type { TestPlatform } from '../harness.ts';

/** Runs SQL without foreign keys and triggers, for tables of many rows that are read only. */
export async function withoutTriggers(platform: TestPlatform, sql: string): Promise<void> {
  const url = new URL(platform.postgres);
  url.pathname = platform.name;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query(`set session_replication_role = replica; ${sql}`);
  } finally {
    await client.end();
  }
}

/**
 * Adds so many copies of a row. `changes` says what differs: SQL by column, where `n` counts from 1
 * and `t` is the row.
 */
export async function copyRow(
  platform: TestPlatform,
  table: string,
  { where, count, changes }: { where: string; count: number; changes: Record<string, string> },
): Promise<void> {
  const columns: { name: string }[] = await platform.query(
    `select column_name as name from information_schema.columns
      where table_name = $1 and table_schema = 'public' and is_generated = 'NEVER'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  const values = names.map((name) => changes[name] ?? `t.${name}`);
  await withoutTriggers(
    platform,
    `insert into ${table} (${names.join(', ')}) overriding system value
     select ${values.join(', ')} from ${table} t, generate_series(1, ${count}) n where ${where}`,
  );
}
