import { hash, timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { batcher } from '../../jobs/batcher.ts';
import { tierOf, type TierLevels } from '../ledger/tiers.ts';
import { withTimeout } from '../../platform/timeout.ts';
import { column, namesOf, row, rows, someOf } from '../../platform/rows.ts';
import type { Secrets } from '../../platform/secrets.ts';
import type { Scope } from '../../kernel/caller.ts';
import type { Caller } from '../../kernel/caller.ts';
import { openKeyUse } from './key_use.ts';
import { hashOfKey, publicIdOf, publicPartOf } from './keys.ts';

/** Polling interval: a revocation must hold in every process within a second. */
const LOOK_EVERY_MS = 500;
const STALE_AFTER_MS = 1_000;
/** Maximum age of an entry, because the tier of its tree may have changed. */
const ENTRY_MS_MAX = 60_000;

/**
 * The keys that this process has found to be valid, so that a known key costs no round trip. They
 * are trusted only while revocations are read: when the database has not answered for a second,
 * every key is looked up.
 */
export interface KnownKeys {
  /** The caller that this key proves, or undefined. Rejects if the database does not answer. */
  find(token: string): Promise<Caller | undefined>;
  /** The caller of a key that this process has already looked up. */
  peek(token: string): Caller | undefined;
  /** Forgets keys that were revoked, changed or expired since the last look. */
  look(): Promise<void>;
  /** Looks now and every half second until `stop`, and writes which keys were used. */
  start(onFault: (error: unknown) => void): void;
  stop(): void;
}

interface Entry {
  readonly since: number;
  readonly digest: Buffer;
  readonly caller: Caller;
}

export function openKnownKeys(
  database: Pick<DataSource, 'query'>,
  secrets: Secrets,
  {
    reserved = database, // for looks, which must go on while calls use all other connections
    keysMax = 50_000,
    databaseMs = 20_000,
    elapsedMs = () => performance.now(),
    levels = NO_LEVELS,
  } = {},
): KnownKeys {
  // Entries by public id. Memory holds a digest of the key, not the key.
  const known = new Map<string, Entry>();
  // The last look: its start by our monotonic clock, and the database's time.
  let lastLook: { since: number; at: Date } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  const use = openKeyUse(reserved);

  const isFresh = () => lastLook !== undefined && elapsedMs() - lastLook.since < STALE_AFTER_MS;

  async function look(): Promise<void> {
    const since = elapsedMs();
    const { at, ended } = await row(reserved, ENDED_COLUMNS, ENDED_SINCE, [lastLook?.at]);
    for (const publicId of ended) known.delete(publicId);
    lastLook = { since, at };
  }

  const findRows = batcher(async (publicIds: string[]) => {
    const found = await rows(database, LIVE_KEY_COLUMNS, LIVE_KEYS, [publicIds]);
    const byId = new Map(found.map((key) => [key.public_id, key]));
    return publicIds.map((publicId) => byId.get(publicId));
  });

  async function lookUp(publicId: string, token: string): Promise<Caller | undefined> {
    const before = lastLook;
    const key = await withTimeout(findRows(publicId), databaseMs);
    // A key whose pepper was removed is unknown; that is no fault.
    if (!key || !secrets.knows(key.pepper_id)) return undefined;
    const hash = hashOfKey(secrets, token, key.pepper_id);
    if (!timingSafeEqual(key.hash, hash.hash)) return undefined;
    if (key.pepper_id !== secrets.currentKeyId) use.renew(key.id, hashOfKey(secrets, token));
    const caller: Caller = Object.freeze({
      agentId: key.agent_id,
      rootId: key.root_id,
      keyId: key.id,
      scopes: Object.freeze(key.scopes),
      tier: tierOf(levels, key.inflow),
    });
    // Stored only if no look ended meanwhile: it may have read a revocation this query missed.
    if (lastLook && lastLook === before) {
      known.delete(publicId);
      if (known.size >= keysMax) known.delete(known.keys().next().value!); // the oldest
      known.set(publicId, { since: elapsedMs(), digest: digestOf(token), caller });
    }
    use.note(caller.keyId);
    return caller;
  }

  function entryOf(token: string): Entry | undefined {
    const entry = isFresh() ? known.get(publicPartOf(token)) : undefined;
    return entry && elapsedMs() - entry.since < ENTRY_MS_MAX ? entry : undefined;
  }
  const callerOf = (entry: Entry, token: string) =>
    timingSafeEqual(entry.digest, digestOf(token)) ? entry.caller : undefined;

  return {
    peek(token) {
      const entry = entryOf(token);
      return entry && callerOf(entry, token);
    },
    async find(token) {
      const entry = entryOf(token);
      if (entry) {
        const caller = callerOf(entry, token);
        if (caller) use.note(caller.keyId);
        return caller;
      }
      const publicId = publicIdOf(token);
      return publicId === undefined ? undefined : lookUp(publicId, token);
    },
    look,
    start(onFault) {
      const tick = () => {
        if (looking) return; // More queries would not help a slow database.
        looking = true;
        look()
          .then(() => use.write(lastLook!.at))
          .catch(onFault)
          .finally(() => (looking = false));
      };
      tick();
      timer = setInterval(tick, LOOK_EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}

// Keys ended since 30 s before the last successful look, by the database's clock: a revocation
// takes less from its time stamp to its commit. Keys whose scopes were changed are included, and
// are looked up again.
const ENDED_SINCE = `
  select now() as at, array(
    select public_id from api_key
     where revoked_at > least($1::timestamptz, now()) - interval '30 seconds'
        or changed_at > least($1::timestamptz, now()) - interval '30 seconds'
        or expires_at > least($1::timestamptz, now()) - interval '30 seconds'
           and expires_at <= now()) as ended`;

const ENDED_COLUMNS = { at: column.time, ended: column.texts };

const LIVE_KEY_COLUMNS = {
  public_id: column.text,
  id: column.id,
  agent_id: column.id,
  root_id: column.id,
  scopes: someOf<Scope>(),
  hash: column.bytes,
  pepper_id: column.text,
  inflow: column.micros,
};
/** Levels that no inflow reaches, so that every tree is in the free tier. */
const NO_LEVELS: TierLevels = { basic: 2n ** 62n, pro: 2n ** 62n };

const LIVE_KEYS = `select ${namesOf(LIVE_KEY_COLUMNS)} from live_keys($1)`;

const digestOf = (token: string) => hash('sha256', token, 'buffer');
