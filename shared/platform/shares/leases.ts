import type { RedisClient } from '../redis.ts';

/** Time after which the leases of a killed process expire. */
const TTL_MS = 6_000;
const RENEW_EVERY_MS = 2_000;

/**
 * Leases, counted over all processes: each holder (an agent) may have a limited number at once. A
 * lease has a name and is renewed while its process lives.
 */
interface Leases {
  /** Acquires a lease. False: the holder is at its limit. Rejects if Redis does not answer. */
  acquire(holder: number, lease: string): Promise<boolean>;
  release(holder: number, lease: string): void;
}

/** By Redis's clock: a lease is a member of its holder's set until the time in its score. */
const ACQUIRE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('zremrangebyscore', KEYS[1], '-inf', now)
  if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
  redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 1`;

/** `name`: the leased resource, with a count of its own. `prefix` begins every key in Redis. */
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

  /** Renews leases, and restores those that Redis has lost without counting: they were granted. */
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
        release(holder, lease); // It may have been acquired.
        throw error;
      }
    },
  };
}
