import type { TestPlatform } from '../harness.ts';

/** Tables in which processes note calls and themselves, at any time: also when a key was used. */
const OF_PROCESSES =
  /^(api_key|process|machine_minute|request(_\d)?|dispatch_watermark|event_watermark)$/;

/** A hash of all rows of each table. */
export async function allRows(platform: TestPlatform): Promise<ReadonlyMap<string, string>> {
  const tables: { schema: string; name: string }[] = await platform.query(
    `select schemaname as schema, tablename as name from pg_tables
      where schemaname in ('public', 'ledger') order by 1, 2`,
  );
  const hashes = new Map<string, string>();
  for (const { schema, name } of tables) {
    if (OF_PROCESSES.test(name) || name.startsWith('migration')) continue;
    const [{ hash }] = await platform.query(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as hash
         from ${schema}."${name}" t`,
    );
    hashes.set(name, hash);
  }
  return hashes;
}
