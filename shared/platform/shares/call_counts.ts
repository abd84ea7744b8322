import { throttled, type Log } from '../log.ts';
import { counter } from '../metrics.ts';
import type { RedisClient } from '../redis.ts';
import type { Holder } from './fair_queue.ts';
import { Timeout } from '../timeout.ts';

const alone = counter(
  'market_calls_counted_alone_total',
  'Calls that this process counted by itself for rate limits, because Redis did not answer.',
);

/** Maximum wait for Redis, which is asked once for all calls of a turn of the event loop. */
const ANSWER_MS_MAX = 500;
/** Time that a process counts alone before it asks Redis again. */
const ALONE_MS = 1_000;
/** Maximum holders whose windows a process keeps itself. */
const HOLDERS_MAX = 10_000;

/**
 * Calls of each holder in windows of time. A window begins with the first call after the last one.
 * Counted in Redis over all processes, exactly; while Redis does not answer, each process counts
 * alone. A holder that has used up its window is not counted until it ends, so that a call beyond
 * the limit costs only its refusal.
 */
export interface CallCounts {
  /** Counts calls of a holder, all or none of which are within `limit`. Never rejects. */
  count(holder: Holder, asked: { limit: number; calls: number }): Promise<CallCount>;
}

interface CallCount {
  readonly isWithin: boolean;
  /** Remaining calls of this window. */
  readonly left: number;
  /** Time in ms until the window ends. */
  readonly resetMs: number;
}

interface Window {
  used: number;
  readonly endsAt: number;
}

interface Asked {
  readonly limit: number;
  readonly calls: number;
  readonly resolve: (count: CallCount) => void;
}

/** Counts, and returns the use and the remaining ms of the window for each key. */
const COUNT = `
  local counts = {}
  for n, key in ipairs(KEYS) do
    local used = redis.call('incrby', key, ARGV[n + 1])
    local ms = redis.call('pttl', key)
    if ms < 0 then
      ms = tonumber(ARGV[1])
      redis.call('pexpire', key, ms)
    end
    counts[2 * n - 1] = used
    counts[2 * n] = ms
  end
  return counts`;

/** `prefix` begins every key in Redis. `answerMsMax`: maximum wait for Redis. */
export function openCallCounts(
  { redis, prefix }: { redis: RedisClient; prefix: string },
  log: Log,
  windowMs: number,
  answerMsMax = ANSWER_MS_MAX,
): CallCounts {
  const warn = throttled(log);
  const countInRedis = openScript(redis, answerMsMax);
  /** Used-up windows, and all windows while this process counts alone. */
  const known = new Map<Holder, Window>();
  let asked = new Map<Holder, Asked[]>();
  let aloneUntil = 0;

  function knownWindow(holder: Holder): Window | undefined {
    const window = known.get(holder);
    if (window && window.endsAt > performance.now()) return window;
    known.delete(holder);
    return undefined;
  }

  function remember(holder: Holder, window: Window): void {
    if (known.size >= HOLDERS_MAX) known.delete(known.keys().next().value!); // the oldest
    known.set(holder, window);
  }

  /** Answers the calls of one holder, the first ones first. */
  function give(calls: readonly Asked[], used: number, resetMs: number): void {
    let before = used - sumOf(calls);
    for (const { calls: more, limit, resolve } of calls) {
      before += more;
      resolve({ isWithin: before <= limit, left: Math.max(0, limit - before), resetMs });
    }
  }

  function countAlone(holder: Holder, calls: readonly Asked[]): void {
    alone.inc(sumOf(calls));
    countHere(holder, calls);
  }

  function countHere(holder: Holder, calls: readonly Asked[]): void {
    const now = performance.now();
    let window = knownWindow(holder);
    if (!window) remember(holder, (window = { used: 0, endsAt: now + windowMs }));
    window.used += sumOf(calls);
    give(calls, window.used, window.endsAt - now);
  }

  async function flush(): Promise<void> {
    const holders = [...asked];
    asked = new Map();
    const keys = holders.map(([holder]) => `${prefix}:calls:${holder}`);
    const more = holders.map(([, calls]) => sumOf(calls));
    try {
      const counts = await countInRedis(keys, [windowMs, ...more]);
      const now = performance.now();
      holders.forEach(([holder, calls], n) => {
        const [used, ms] = [counts[2 * n]!, counts[2 * n + 1]!];
        if (calls.every(({ limit }) => used >= limit)) remember(holder, { used, endsAt: now + ms });
        give(calls, used, ms);
      });
    } catch (error) {
      warn('Redis does not count calls; each API process counts alone', error);
      aloneUntil = performance.now() + ALONE_MS;
      for (const [holder, calls] of holders) countAlone(holder, calls);
    }
  }

  return {
    count: (holder, { limit, calls }) =>
      new Promise((resolve) => {
        const call = { limit, calls, resolve };
        const window = knownWindow(holder);
        if (window && window.used >= limit) return countHere(holder, [call]);
        if (performance.now() < aloneUntil) return countAlone(holder, [call]);
        if (asked.size === 0) setImmediate(() => void flush());
        const before = asked.get(holder);
        if (before) before.push(call);
        else asked.set(holder, [call]);
      }),
  };
}

const sumOf = (calls: readonly Asked[]): number => calls.reduce((sum, one) => sum + one.calls, 0);

type Script = (keysAndNumbers: readonly (string | number)[]) => Promise<number[]>;

function openScript(redis: RedisClient, answerMsMax: number) {
  redis.defineCommand('countCalls', { lua: COUNT });
  const { countCalls } = redis as RedisClient & { countCalls: Script };
  return (keys: readonly string[], numbers: readonly number[]): Promise<number[]> =>
    answeredSoon(countCalls.call(redis, [keys.length, ...keys, ...numbers]), answerMsMax);
}

/** Limits the wait, but reads arrived answers first: a late process must not blame Redis. */
function answeredSoon<T>(work: Promise<T>, answerMsMax: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeUp = setTimeout(() => {
      setImmediate(() => reject(new Timeout(answerMsMax)));
    }, answerMsMax);
    work.finally(() => clearTimeout(timeUp)).then(resolve, reject);
  });
}
