import { createHmac, randomBytes } from 'node:crypto';

import { column, execute, rows, type Database } from '../../platform/rows.ts';
import type { SealedColumn, Secrets } from '../../platform/secrets.ts';

/**
 * Opens keyed hashes that tell whether a text was seen before, also after a change of the master
 * key: their key is random, made once and stored sealed. It does not depend on the master key, so
 * it can be sealed again under a new one.
 */
export async function openFingerprints(
  db: Database,
  secrets: Secrets,
  purpose: string,
): Promise<(text: string) => Buffer> {
  const location = locationOf(purpose);
  const find = async () => {
    const sql = 'select sealed from fingerprint_key where purpose = $1';
    return (await rows(db, { sealed: column.bytes }, sql, [purpose]))[0];
  };
  let found = await find();
  if (!found) {
    // If two first calls run at once, the second waits here, and finds the key of the first.
    const sealed = secrets.seal(randomBytes(32).toString('base64'), location);
    const sql =
      'insert into fingerprint_key (purpose, sealed) values ($1, $2) on conflict do nothing';
    await execute(db, sql, [purpose, sealed]);
    found = (await find())!;
  }
  const key = Buffer.from(secrets.open(found.sealed, location), 'base64');
  return (text) => createHmac('sha256', key).update(text).digest();
}

const locationOf = (purpose: string) => ({
  table: 'fingerprint_key',
  column: 'sealed',
  row: purpose,
  owner: 0,
});

export const SEALED_FINGERPRINT_KEYS: SealedColumn = {
  table: 'fingerprint_key',
  column: 'sealed',
  row: 's.purpose',
  owner: '0',
};
