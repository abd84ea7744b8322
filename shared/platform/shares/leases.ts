import type { RedisClient } from '../redis.ts';

/** The leases of a process that was killed expire after this time. */
const TTL_MS = 6_000;
const RENEW_EVERY_MS = 2_000;

/**
 * Leases, counted over all processes: each holder (an agent) may have so many at once. A lease has
 * a name and is renewed while its process lives.
 */
export interface Leases {
  /** False: the holder has as many as it may have. Rejects when Redis does not answer. */
  acquire(holder: number, lease: string): Promise<boolean>;
  release(holder: number, lease: string): void;
}

/** By Redis's own clock: a lease is a member of its holder's set until its score is in the past. */
const ACQUIRE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('zremrangebyscore', KEYS[1], '-inf', now)
  if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
  redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 1`;

/** `name` says what is leased: each has its own count. `prefix` begins every key in Redis. */
export function openLeases(
  { redis, prefix }: { redis: RedisClient; prefix: string },
  name: string,
  leasesMax: number,
): Leases {
  const held = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const keyOf = (holder: number) => `${prefix}:${name}:${holder}`;
  const acquire = (key: string, lease: string, max: number) =>
    redis.eval(ACQUIRE, 1, key, lease, TTL_MS, max);

  /** Restores leases that Redis has lost, too. They were granted, so they are not counted anew. */
  function renew(): void {
    for (const [lease, key] of held) {
      // If this fails, the next renewal comes in time.
      acquire(key, lease, Number.MAX_SAFE_INTEGER).catch(() => undefined);
    }
  }

  function release(holder: number, lease: string): void {
    if (!held.delete(lease)) return;
    redis.zrem(keyOf(holder), lease).catch(() => undefined); // If this fails, it expires.
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    release,
    async acquire(holder, lease) {
      held.set(lease, keyOf(holder));
      timer ??= setInterval(renew, RENEW_EVERY_MS);
      try {
        const isAcquired = (await acquire(keyOf(holder), lease, leasesMax)) === 1;
        if (!isAcquired) release(holder, lease);
        return isAcquired;
      } catch (error) {
        release(holder, lease); // It is not known whether it was acquired.
        throw error;
      }
    },
  };
}
