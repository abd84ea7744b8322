import type { QueryRunner } from 'typeorm';

import type { SqlMigration } from './files.ts';

/** A shipped migration is never edited: a database that ran it before would lack the change. */
export class ChangedMigrations extends Error {
  constructor(files: readonly string[]) {
    super(
      `This database has run another version of ${files.map((file) => `migrations/${file}`).join(', ')}` +
        ': a migration that has run is never edited, so restore the file as it was released and ' +
        'write the change as a new migration.',
    );
  }
}

/**
 * Refuses migrations whose file differs, by one byte or more, from the one that ran here. A
 * database that was migrated before hashes were kept has none: today's files are taken for what
 * ran, because nothing else is known of them.
 */
export async function refuseChanged(
  runner: QueryRunner,
  executed: readonly SqlMigration[],
): Promise<void> {
  await runner.query(TABLE);
  const noted: { name: string; hash: string }[] = await runner.query(
    'select name, hash from migration_hash',
  );
  const hashes = new Map(noted.map(({ name, hash }) => [name, hash]));
  const changed = executed.filter(({ name, hash }) => (hashes.get(name) ?? hash) !== hash);
  if (changed.length > 0) throw new ChangedMigrations(changed.map(({ file }) => file));
  for (const one of executed) if (!hashes.has(one.name)) await noteHash(runner, one);
}

/** Notes a file that runs now. A migration that failed before may have had another one. */
export async function noteHash(runner: QueryRunner, { name, hash }: SqlMigration): Promise<void> {
  await runner.query(
    `insert into migration_hash (name, hash) values ($1, $2)
     on conflict (name) do update set hash = excluded.hash`,
    [name, hash],
  );
}

/** Beside TypeORM's own table, and made like that one: before the first migration. */
const TABLE = `
  create table if not exists migration_hash (
    name text primary key, -- as in the table migrations
    hash text not null -- SHA-256 of the file, in hex
  )`;
