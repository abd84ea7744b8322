import type { DataSource } from 'typeorm';

import { column, execute, rows } from '../../platform/rows.ts';

/** Maximum keys per statement; the rest wait for the next one. */
const KEYS_MAX = 1_000;
/** Maximum remembered keys; beyond it all are forgotten and written once more. */
const SEEN_MAX = 100_000;

/**
 * The hour in which each key was last used. A call costs one look into a set. A key costs each
 * process one write an hour, batched with all others of the same half second.
 */
interface KeyUse {
  note(keyId: number): void;
  /** Stores the hash anew under the current master key, so that an older one can be removed. */
  renew(keyId: number, hash: PepperedHash): void;
  /** Writes the noted uses. `now` is the database's time. */
  write(now: Date): Promise<void>;
}

interface PepperedHash {
  /** Id of the master key that the pepper is derived from. */
  readonly keyId: string;
  readonly hash: Buffer;
}

export function openKeyUse(database: Pick<DataSource, 'query'>): KeyUse {
  /** Keys noted in this hour. */
  const seen = new Set<number>();
  const pending = new Set<number>();
  const renewed = new Map<number, PepperedHash>();
  let hour: number | undefined;

  async function writeRenewed(): Promise<void> {
    if (renewed.size === 0) return;
    const all = [...renewed];
    renewed.clear(); // A hash not written now is found again at the next lookup of its key.
    await execute(database, RENEW, [
      all.map(([id]) => id),
      all.map(([, { hash }]) => hash),
      all.map(([, { keyId }]) => keyId),
    ]);
  }

  return {
    note(keyId) {
      if (seen.has(keyId)) return;
      if (seen.size >= SEEN_MAX) seen.clear();
      seen.add(keyId);
      pending.add(keyId);
    },
    renew: (keyId, hash) => void (renewed.size < KEYS_MAX && renewed.set(keyId, hash)),
    async write(now) {
      await writeRenewed();
      if (hour !== undefined && hourOf(now) !== hour) seen.clear();
      hour = hourOf(now);
      if (pending.size === 0) return;
      const ids = [...pending].slice(0, KEYS_MAX);
      const left = await rows(database, LEFT, NOTE_USE, [ids, new Date(hour * HOUR_MS)]);
      for (const id of ids) pending.delete(id);
      for (const { id } of left) pending.add(id);
    },
  };
}

const HOUR_MS = 3_600_000;
const hourOf = (time: Date) => Math.floor(time.getTime() / HOUR_MS);

const LEFT = { id: column.id };

// Waits for no lock: keys locked by a call, or by another process that writes this, are left for
// the next time.
const NOTE_USE = `
  with due as (
    select id from api_key
     where id = any ($1) and (last_used_at is null or last_used_at < $2) and revoked_at is null),
  written as (
    update api_key set last_used_at = $2
     where id in (select id from api_key where id in (select id from due)
                   order by id for no key update skip locked)
    returning id)
  select id from due where id not in (select id from written)`;

const RENEW = `
  update api_key set hash = new.hash, pepper_id = new.pepper_id
    from unnest($1::bigint[], $2::bytea[], $3::text[]) as new(id, hash, pepper_id)
   where api_key.id = new.id and api_key.id in (
     select id from api_key where id = any ($1) order by id for no key update skip locked)`;
