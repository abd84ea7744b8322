import { hash, timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';

import { batcher } from '../jobs/batcher.ts';
import { withTimeout } from '../platform/timeout.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Scope } from './agents.ts';
import type { Caller } from './caller.ts';
import { hashOfKey, PUBLIC_ID, publicIdOf } from './keys.ts';

/** A revocation must hold everywhere within a second, so each process looks twice as often. */
const LOOK_EVERY_MS = 500;
const STALE_AFTER_MS = 1_000;

/**
 * The keys that this process has seen to be good, so that a known key costs no round trip. It is
 * trusted only while revocations are being heard of: when the database has not answered for a
 * second, every key is looked up again.
 */
export interface KnownKeys {
  /** The caller that this key proves, or undefined. Rejects if the database is away. */
  find(token: string): Promise<Caller | undefined>;
  /** Forgets what was revoked since the last look. */
  look(): Promise<void>;
  /** Looks at once, and then every half second until `stop`. */
  start(onFault: (error: unknown) => void): void;
  stop(): void;
}

export function openKnownKeys(
  database: Pick<DataSource, 'query'>,
  secrets: Secrets,
  { keysMax = 50_000, databaseMs = 20_000, elapsedMs = () => performance.now() } = {},
): KnownKeys {
  // By public id. Of the key itself memory holds no more than a digest.
  const known = new Map<string, { digest: Buffer; caller: Caller }>();
  let heard: { since: number; at: Date } | undefined; // our monotonic clock, the database's time
  let timer: NodeJS.Timeout | undefined;
  let looking = false;

  const isFresh = () => heard !== undefined && elapsedMs() - heard.since < STALE_AFTER_MS;

  async function look(): Promise<void> {
    const since = elapsedMs();
    const [{ at, revoked }] = await database.query(REVOKED_SINCE, [heard?.at]);
    for (const publicId of revoked as string[]) known.delete(publicId);
    heard = { since, at };
  }

  const findRows = batcher(async (publicIds: string[]) => {
    const rows: Row[] = await database.query('select * from live_keys($1)', [publicIds]);
    const byId = new Map(rows.map((row) => [row.public_id, row]));
    return publicIds.map((publicId) => byId.get(publicId));
  });

  async function lookUp(publicId: string, token: string): Promise<Caller | undefined> {
    const before = heard;
    const row = await withTimeout(findRows(publicId), databaseMs);
    if (!row || !timingSafeEqual(row.hash, hashOfKey(secrets, token, row.pepper_id))) {
      return undefined;
    }
    const caller: Caller = Object.freeze({
      agentId: row.agent_id,
      rootId: row.root_id,
      keyId: row.id,
      scopes: Object.freeze(row.scopes),
    });
    // Only if no look came in between: it may have passed over a revocation that this read missed.
    if (heard && heard === before) {
      known.delete(publicId);
      if (known.size >= keysMax) known.delete(known.keys().next().value!); // the oldest
      known.set(publicId, { digest: digestOf(token), caller });
    }
    return caller;
  }

  return {
    async find(token) {
      const entry = known.get(token.slice(...PUBLIC_ID));
      if (entry && isFresh()) {
        return timingSafeEqual(entry.digest, digestOf(token)) ? entry.caller : undefined;
      }
      const publicId = publicIdOf(token);
      return publicId === undefined ? undefined : lookUp(publicId, token);
    },
    look,
    start(onFault) {
      const tick = () => {
        if (looking) return; // A slow database is not helped by more questions.
        looking = true;
        look()
          .catch(onFault)
          .finally(() => (looking = false));
      };
      tick();
      timer = setInterval(tick, LOOK_EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}

// From the last look that succeeded, which may be long ago, by the database's own clock and 30 s
// before: longer than a revocation takes from its time stamp to its commit.
const REVOKED_SINCE = `
  select now() as at, array(
    select public_id from api_key
     where revoked_at > least($1::timestamptz, now()) - interval '30 seconds') as revoked`;

interface Row {
  public_id: string;
  id: number;
  agent_id: number;
  root_id: number;
  scopes: Scope[];
  hash: Buffer;
  pepper_id: string;
}

const digestOf = (token: string) => hash('sha256', token, 'buffer');
