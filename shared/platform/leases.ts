import type { Context } from '../kernel/context.ts';

/** A process that dies without a word keeps its seats for this long. */
const LAPSE_MS = 6_000;
const KEEP_EVERY_MS = 2_000;

/** Things of which each holder may have a few at once, counted over all processes. */
export interface Leases {
  /** False: the holder has as many as there may be. Rejects when Redis does not answer. */
  take(holder: number, seat: string): Promise<boolean>;
  leave(holder: number, seat: string): void;
}

/** By Redis's own clock: a seat is a member of its holder's set until its score is past. */
const TAKE = `
  local time = redis.call('time')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('zremrangebyscore', KEYS[1], '-inf', now)
  if redis.call('zcard', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
  redis.call('zadd', KEYS[1], now + ARGV[2], ARGV[1])
  redis.call('pexpire', KEYS[1], ARGV[2])
  return 1`;

export function openLeases({ queue }: Context, name: string, leasesMax: number): Leases {
  const { redis, prefix } = queue;
  const held = new Map<string, string>();
  let timer: NodeJS.Timeout | undefined;
  const keyOf = (holder: number) => `${prefix}:${name}:${holder}`;
  const take = (key: string, seat: string, max: number) =>
    redis.eval(TAKE, 1, key, seat, LAPSE_MS, max);

  /** Leases that Redis has lost come back; they were given, so nobody is asked whether they may. */
  function keep(): void {
    for (const [seat, key] of held) {
      take(key, seat, Number.MAX_SAFE_INTEGER).catch(() => undefined); // Then the next time.
    }
  }

  function leave(holder: number, seat: string): void {
    if (!held.delete(seat)) return;
    redis.zrem(keyOf(holder), seat).catch(() => undefined); // Then it lapses.
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    leave,
    async take(holder, seat) {
      held.set(seat, keyOf(holder));
      timer ??= setInterval(keep, KEEP_EVERY_MS);
      try {
        const isTaken = (await take(keyOf(holder), seat, leasesMax)) === 1;
        if (!isTaken) leave(holder, seat);
        return isTaken;
      } catch (error) {
        leave(holder, seat); // It is not known whether it was taken.
        throw error;
      }
    },
  };
}
