import { createHash, timingSafeEqual } from 'node:crypto';
import type { DataSource } from 'typeorm';

import type { Secrets } from '../secrets.ts';
import type { Scope } from './agents.ts';
import type { Caller } from './caller.ts';
import { hashOfKey, publicIdOf } from './keys.ts';

/** A revocation must hold everywhere within a second, so each process looks twice as often. */
export const LOOK_EVERY_MS = 500;
/** Longer than any transaction lives, so that a revocation that committed late is still seen. */
const OVERLAP_MS = 30_000;
const STALE_AFTER_MS = 1_000;
const KEYS_MAX = 50_000;

/**
 * The keys that this process has seen to be good, so that a known key costs no round trip. It is
 * trusted only while revocations are being heard of: when the database has not answered for a
 * second, every key is looked up again.
 */
export interface KnownKeys {
  /** The caller that this key proves, or undefined. */
  find(token: string): Promise<Caller | undefined>;
  /** Forgets what was revoked since the last look. */
  look(): Promise<void>;
  /** Looks every half second until `stop`. */
  start(onFault: (error: unknown) => void): void;
  stop(): void;
}

export function openKnownKeys(database: DataSource, secrets: Secrets): KnownKeys {
  const callers = new Map<string, Caller>(); // by digest of the key: memory holds no key
  const digests = new Map<string, string>(); // by public id
  let lookedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function forget(publicId: string): void {
    const digest = digests.get(publicId);
    if (digest) callers.delete(digest);
    digests.delete(publicId);
  }

  async function look(): Promise<void> {
    const startedAt = Date.now();
    const revoked: { public_id: string }[] = await database.query(
      `select public_id from api_key
        where revoked_at > now() - make_interval(secs => $1::float8 / 1000)`,
      // Since the last look that succeeded, which may be long ago.
      [OVERLAP_MS + (lookedAt ? startedAt - lookedAt : 0)],
    );
    for (const { public_id: publicId } of revoked) forget(publicId);
    lookedAt = startedAt;
  }

  async function remember(token: string, digest: string): Promise<Caller | undefined> {
    const publicId = publicIdOf(token);
    if (!publicId) return undefined;
    const [row] = await database.query(
      `select k.id, k.agent_id, k.scopes, k.hash, k.pepper_id, a.root_id
         from api_key k join agent a on a.id = k.agent_id
        where k.public_id = $1 and k.revoked_at is null`,
      [publicId],
    );
    if (!row || !timingSafeEqual(row.hash, hashOfKey(secrets, token, row.pepper_id))) {
      return undefined;
    }
    const caller: Caller = Object.freeze({
      agentId: row.agent_id as number,
      rootId: row.root_id as number,
      keyId: row.id as number,
      scopes: row.scopes as Scope[],
    });
    if (callers.size >= KEYS_MAX) forget(digests.keys().next().value!); // the oldest
    callers.set(digest, caller);
    digests.set(publicId, digest);
    return caller;
  }

  return {
    async find(token) {
      const digest = createHash('sha256').update(token).digest('base64');
      const known = callers.get(digest);
      if (known && Date.now() - lookedAt < STALE_AFTER_MS) return known;
      return remember(token, digest);
    },
    look,
    start(onFault) {
      timer = setInterval(() => void look().catch(onFault), LOOK_EVERY_MS);
    },
    stop: () => clearInterval(timer),
  };
}
