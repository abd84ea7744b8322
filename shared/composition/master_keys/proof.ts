import { KEY_WORKS } from '../../domains/agents/agents.ts';
import { fingerprintOf, PURPOSE } from '../../jobs/jobs.ts';
import { anotherKey, missingKeys } from '../../platform/self_checks/key_canaries.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import type { SealedColumn, Secrets } from '../../platform/secrets.ts';
import { keyIdOf, SEALED_COLUMNS } from './reseal.ts';

/** Sampled values per column: some of them may be damaged. */
const VALUES = 20;
const JOBS = 2_000;

/**
 * Faults of the master keys of this process, found with a database that has no canaries yet: by
 * sealed values, then by hashed API keys, then by jobs that timers started. An empty database shows
 * no fault.
 */
export async function masterKeyFaultsBefore(db: Database, secrets: Secrets): Promise<string[]> {
  const found = {
    opened: new Set<string>(),
    closed: new Set<string>(),
    missing: new Set<string>(),
  };
  for (const sealed of SEALED_COLUMNS) {
    for (const value of await sampleOf(db, sealed)) {
      const { key_id: keyId } = value;
      if (!secrets.knows(keyId)) found.missing.add(keyId);
      else if (opens(secrets, sealed, value)) found.opened.add(keyId);
      else found.closed.add(keyId);
    }
  }
  const others = [...found.closed].filter((id) => !found.opened.has(id));
  if (others.length > 0) return others.map(anotherKey);
  if (found.opened.size > 0) return [];
  const missing = [...found.missing, ...(await missingPeppers(db, secrets))];
  if (missing.length > 0) return [missingKeys([...new Set(missing)])];
  return (await hashesOfTimers(db, secrets)) === 'other' ? [anotherKey(secrets.currentKeyId)] : [];
}

type Value = Awaited<ReturnType<typeof sampleOf>>[number];

const sampleOf = (db: Database, { table, column: name, row, owner, join = '' }: SealedColumn) =>
  rows(
    db,
    { row_id: column.text, owner: column.id, sealed: column.bytes, key_id: column.text },
    `select ${row} as row_id, ${owner} as owner, s.${name} as sealed,
            ${keyIdOf(`s.${name}`)} as key_id
       from ${table} s ${join} where s.${name} is not null limit ${VALUES}`,
  );

function opens(secrets: Secrets, { table, column: name }: SealedColumn, value: Value): boolean {
  try {
    secrets.open(value.sealed, { table, column: name, row: value.row_id, owner: value.owner });
    return true;
  } catch {
    return false;
  }
}

/** Ids of the master keys of the newest API keys, if none of them is known. */
async function missingPeppers(db: Database, secrets: Secrets): Promise<string[]> {
  const found = await rows(
    db,
    { pepper_id: column.text },
    `select distinct pepper_id
       from (select k.pepper_id from api_key k where ${KEY_WORKS} order by k.id desc limit 100) k`,
  );
  const ids = found.map(({ pepper_id }) => pepper_id);
  return ids.some((id) => secrets.knows(id)) ? [] : ids;
}

/** Compares hashes of timer jobs, which have no input: their hash depends on the name alone. */
async function hashesOfTimers(db: Database, secrets: Secrets): Promise<'ours' | 'other'> {
  const jobs = await rows(
    db,
    { operation: column.text, input_hash: column.bytes },
    `select operation, input_hash
       from (select operation, input_hash, cause, input from job order by id desc limit ${JOBS}) j
      where starts_with(j.cause, j.operation || ':') and j.input::text = '{}'`,
  );
  const isOurs = jobs.some((job) =>
    secrets.isHashOf(job.input_hash, PURPOSE, fingerprintOf(job.operation, {})),
  );
  return isOurs || jobs.length === 0 ? 'ours' : 'other';
}
