import type { DataSource } from 'typeorm';

import { BadSettings } from '../config/environment.ts';
import { transact } from '../database.ts';
import { column, execute, nullable, row, rows, type Database } from '../rows.ts';
import type { Secrets } from '../secrets.ts';

/**
 * A constant sealed under a master key, and the time when a process last had that key first. It
 * shows whether the master keys are those of the database. Otherwise a process with wrong keys
 * would start, know no API key and tell its callers to register again.
 */
interface Canary {
  readonly key_id: string;
  readonly sealed: Buffer;
  readonly first_at: Date | null;
}

/** Id of the advisory lock; must differ from that of migrations/migrate.ts. */
const LOCK_ID = 627539;
const TEXT = 'canary';

/**
 * Throws BadSettings unless the keys open this database, and stores canaries of new keys.
 * `faultsBefore` compares the keys with values sealed before there were canaries.
 */
export async function assertMasterKeys(
  database: DataSource,
  secrets: Secrets,
  faultsBefore: (db: Database) => Promise<string[]>,
): Promise<void> {
  if (!(await hasCanaries(database))) return; // The schema is older; readiness reports that.
  if (isNoted(secrets, assertNone(await canariesIn(database), secrets))) return;
  await transact(database, async (db) => {
    await execute(db, 'select pg_advisory_xact_lock($1)', [LOCK_ID]);
    const canaries = assertNone(await canariesIn(db), secrets);
    if (canaries.length === 0) assertNoFaults(await faultsBefore(db));
    await note(db, secrets, canaries);
  });
}

/** Faults of the keys of this process, as sentences. */
interface KeyFaults {
  /** Keys that differ from those of the same id in this database. */
  readonly others: readonly string[];
  /** The current sealing key of this database, if this process lacks it. */
  readonly missing: readonly string[];
}

export const findKeyFaults = async (db: Database, secrets: Secrets): Promise<KeyFaults> =>
  faultsOf((await hasCanaries(db)) ? await canariesIn(db) : [], secrets);

export const anotherKey = (keyId: string) =>
  `MASTER_KEYS: the key ${keyId} differs from the one of this name that sealed this database`;

export const missingKeys = (keyIds: readonly string[]) =>
  `MASTER_KEYS lacks ${keyIds.join(', ')}, under which this database is sealed`;

function faultsOf(canaries: readonly Canary[], secrets: Secrets): KeyFaults {
  const others = canaries.filter((one) => secrets.knows(one.key_id) && !opens(secrets, one));
  // New values are sealed under it, and API keys move to it when they are used.
  const [newest] = canaries;
  return {
    others: others.map((one) => anotherKey(one.key_id)),
    missing: newest && !secrets.knows(newest.key_id) ? [missingKeys([newest.key_id])] : [],
  };
}

function assertNone(canaries: readonly Canary[], secrets: Secrets): readonly Canary[] {
  const { others, missing } = faultsOf(canaries, secrets);
  assertNoFaults([...others, ...missing]);
  return canaries;
}

function assertNoFaults(faults: readonly string[]): void {
  if (faults.length > 0) throw new BadSettings(`${faults.join('\n')}\n${ADVICE}`);
}

const ADVICE =
  'With these keys no API key would be known and no vault would open, so this process ends.\n' +
  'Is DATABASE_URL the right database? Then set MASTER_KEYS to what the other processes have, or ' +
  'to the copy that was kept apart from the database (docs/master_keys.md).';

function opens(secrets: Secrets, { key_id, sealed }: Canary): boolean {
  try {
    return secrets.open(sealed, locationOf(key_id)) === TEXT;
  } catch {
    return false;
  }
}

const idsOf = ({ currentKeyId, olderKeyIds }: Secrets) => [currentKeyId, ...olderKeyIds];

/** Whether nothing needs to be written, as at nearly every start. */
const isNoted = (secrets: Secrets, canaries: readonly Canary[]) =>
  canaries[0]?.key_id === secrets.currentKeyId &&
  idsOf(secrets).every((id) => canaries.some(({ key_id }) => key_id === id));

async function note(db: Database, secrets: Secrets, canaries: readonly Canary[]): Promise<void> {
  for (const id of idsOf(secrets)) {
    if (canaries.some(({ key_id }) => key_id === id)) continue;
    const sealed = secrets.seal(TEXT, locationOf(id), id);
    await execute(db, 'insert into master_key_canary (key_id, sealed) values ($1, $2)', [
      id,
      sealed,
    ]);
  }
  await execute(db, 'update master_key_canary set first_at = clock_timestamp() where key_id = $1', [
    secrets.currentKeyId,
  ]);
}

const locationOf = (keyId: string) => ({
  table: 'master_key_canary',
  column: 'sealed',
  row: keyId,
  owner: 0,
});

async function hasCanaries(db: Database): Promise<boolean> {
  const { found } = await row(
    db,
    { found: column.boolean },
    `select to_regclass('public.master_key_canary') is not null as found`,
  );
  return found;
}

/** The canaries; first the key that a process had first most recently. */
const canariesIn = (db: Database): Promise<Canary[]> =>
  rows(
    db,
    { key_id: column.text, sealed: column.bytes, first_at: nullable(column.time) },
    `select key_id, sealed, first_at from master_key_canary
      order by first_at desc nulls last, key_id`,
  );
