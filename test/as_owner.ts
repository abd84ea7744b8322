import pg from 'pg';

import type { TestPlatform } from './harness.ts';

/** Runs SQL as the owner of the schema. A transaction that it begins ends after `meanwhile`. */
export async function asOwner(
  platform: TestPlatform,
  sql: string,
  meanwhile?: () => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: platform.config.migrationDatabaseUrl });
  await client.connect();
  try {
    await client.query(sql);
    await meanwhile?.();
  } finally {
    await client.end();
  }
}
