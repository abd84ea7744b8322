import type { DataSource } from 'typeorm';

import { KEY_WORKS } from '../../domains/agents/agents.ts';
import { SEALED_APP_CODES } from '../../domains/agents/factors/app_codes.ts';
import { SEALED_DATASET_PARTS } from '../../domains/products/dataset/dataset.ts';
import { SEALED_GRANT_PASSWORDS } from '../../domains/datasets/grants.ts';
import { SEALED_DATASET_UPLOADS } from '../../domains/datasets/uploads.ts';
import { SEALED_EMAIL_FILES } from '../../domains/email/files/file_rows.ts';
import { SEALED_INPUTS } from '../../jobs/deferred.ts';
import { SEALED_MESSAGES } from '../../domains/messages/message.ts';
import { transact } from '../../platform/database.ts';
import { column, execute, nullable, row, rows, type Row } from '../../platform/rows.ts';
import type { SealedColumn, Secrets } from '../../platform/secrets.ts';
import { SEALED_FINGERPRINT_KEYS } from '../../domains/products/fingerprints.ts';
import { SEALED_CONTENT, SEALED_SECRETS } from '../../domains/products/products.ts';
import { SEALED_RECEIPT_KEYS } from '../../domains/receipts/signing_keys.ts';
import { SEALED_PROXY_KEYS } from '../../domains/proxies/sale/keys.ts';
import {
  SEALED_PREVIOUS_SECRETS,
  SEALED_WEBHOOK_SECRETS,
} from '../../domains/webhooks/webhooks.ts';

/** Every column that holds sealed values. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  SEALED_FINGERPRINT_KEYS,
  SEALED_SECRETS,
  SEALED_CONTENT,
  SEALED_PROXY_KEYS,
  SEALED_INPUTS,
  SEALED_MESSAGES,
  SEALED_WEBHOOK_SECRETS,
  SEALED_PREVIOUS_SECRETS,
  SEALED_DATASET_PARTS,
  SEALED_DATASET_UPLOADS,
  SEALED_EMAIL_FILES,
  SEALED_GRANT_PASSWORDS,
  SEALED_APP_CODES,
  SEALED_RECEIPT_KEYS,
];

/** PostgreSQL blocks of 8 kB per transaction. */
const BLOCKS = 64;

/** SQL: the id of the master key that a value is sealed under (platform/secrets.ts). */
export const keyIdOf = (sealed: string) =>
  `convert_from(substring(${sealed} from 3 for get_byte(${sealed}, 1)), 'UTF8')`;

interface Progress {
  /** `onBatch` is called after each batch, `onDamage` for each value that does not open. */
  onBatch?(column: SealedColumn, done: number): void;
  onDamage?(column: SealedColumn, row: string): void;
}

/**
 * Seals every value under an older master key again, under the current one. Reads the tables block
 * by block, each in a transaction of its own, and skips values under the current key, so it can be
 * stopped and started again at any time, while the platform runs. Returns the number of values
 * sealed.
 */
export async function reseal(
  database: DataSource,
  secrets: Secrets,
  progress: Progress = {},
): Promise<number> {
  let all = 0;
  for (const sealed of SEALED_COLUMNS) {
    const { blocks } = await row(
      database,
      { blocks: column.int },
      `select (pg_relation_size($1::regclass) / current_setting('block_size')::int)::int as blocks`,
      [sealed.table],
    );
    for (let first = 0; first <= blocks; first += BLOCKS) {
      const done = await transact(database, (db) =>
        resealBlocks({ db, secrets, sealed, first, progress }),
      );
      all += done;
      if (done > 0) progress.onBatch?.(sealed, done);
    }
  }
  return all;
}

const OLD_VALUE = {
  tid: column.text,
  row_id: column.text,
  owner: column.id,
  sealed: column.bytes,
};

interface Blocks {
  readonly db: Parameters<typeof rows>[0];
  readonly secrets: Secrets;
  readonly sealed: SealedColumn;
  readonly first: number;
  readonly progress: Progress;
}

async function resealBlocks({ db, secrets, sealed, first, progress }: Blocks): Promise<number> {
  const { table, column: name, join = '', hashedFor } = sealed;
  const old = await rows(
    db,
    OLD_VALUE,
    `select s.ctid::text as tid, ${sealed.row} as row_id, ${sealed.owner} as owner,
            s.${name} as sealed
       from ${table} s ${join}
      where s.ctid >= $1::tid and s.ctid < $2::tid and s.${name} is not null
        and ${keyIdOf(`s.${name}`)} = any ($3)
        for update of s skip locked`,
    [`(${first},0)`, `(${first + BLOCKS},0)`, secrets.olderKeyIds],
  );
  const fresh = old.flatMap((value) => {
    try {
      return [freshOf(secrets, sealed, value)];
    } catch {
      progress.onDamage?.(sealed, value.row_id);
      return [];
    }
  });
  if (fresh.length === 0) return 0;
  return execute(
    db,
    `update ${table} t set ${name} = new.sealed ${hashedFor ? HASHES : ''}
       from unnest($1::tid[], $2::bytea[], $3::bytea[], $4::text[])
         as new(tid, sealed, hash, pepper_id)
      where t.ctid = new.tid`,
    [
      fresh.map(({ tid }) => tid),
      fresh.map(({ value }) => value),
      fresh.map(({ hash }) => hash),
      fresh.map(() => secrets.currentKeyId),
    ],
  );
}

const HASHES = ', hash = new.hash, pepper_id = new.pepper_id';

function freshOf(
  secrets: Secrets,
  { table, column: name, hashedFor }: SealedColumn,
  { tid, row_id, owner, sealed }: Row<typeof OLD_VALUE>,
) {
  const location = { table, column: name, row: row_id, owner };
  const text = secrets.open(sealed, location);
  const hash = hashedFor ? secrets.hash(hashedFor, text).hash : null;
  return { tid, value: secrets.seal(text, location), hash };
}

/** Data that still needs a master key. */
export interface KeyNeed {
  readonly keyId: string;
  /** Number of values sealed under it. */
  readonly sealed: number;
  /** Number of working API keys hashed under it, and the last use of any of them. */
  readonly apiKeys: number;
  readonly lastUsed: Date | null;
}

/** The data that needs each master key. Keys that nothing needs are left out. */
export async function findKeyNeeds(database: DataSource): Promise<KeyNeed[]> {
  const sealed = SEALED_COLUMNS.map(
    ({ table, column: name }) =>
      `select ${keyIdOf(name)} as key_id, 1 as sealed, 0 as hashed, null::timestamptz as used
         from ${table} where ${name} is not null`,
  );
  const needs = await transact(
    database,
    async (db) => {
      await execute(db, 'set local statement_timeout = 0'); // Reads every sealed value.
      return rows(
        db,
        {
          key_id: column.text,
          sealed: column.int,
          api_keys: column.int,
          last_used: nullable(column.time),
        },
        `select key_id, sum(sealed)::int as sealed, sum(hashed)::int as api_keys,
                max(used) as last_used
           from (${sealed.join(' union all ')} union all
                 select k.pepper_id, 0, 1, k.last_used_at from api_key k where ${KEY_WORKS}) need
          group by key_id order by key_id`,
      );
    },
    { readOnly: true },
  );
  return needs.map(({ key_id: keyId, sealed: count, api_keys: apiKeys, last_used: lastUsed }) => ({
    keyId,
    sealed: count,
    apiKeys,
    lastUsed,
  }));
}
