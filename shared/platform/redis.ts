import { Redis, type RedisOptions } from 'ioredis';

import { wakingTime } from './connections/waking_time.ts';
import { throttled, type Log } from './log.ts';
import { redisAddressOf } from './config/redis_address.ts';

export type RedisClient = Redis;

/** Redis as the store that processes share for short-lived data. `prefix` begins every key. */
export interface Store {
  readonly redis: RedisClient;
  readonly prefix: string;
}

/** Prefix of all our keys. In braces: a cluster keeps the keys of one queue in one slot. */
export const PREFIX = '{market}';

/** Interval of the checks of a connection, and the time without a byte after which it is closed. */
const LOOK_EVERY_MS = 500;
const PING_AFTER_MS = 1_000;
const SILENT_MS_MAX = 4_000;

/**
 * A client for processes that serve requests: it fails at once while Redis is unreachable, and each
 * command has a timeout in ms. A timeout means "unknown", never "not done".
 */
export function redisForRequests(url: string, log: Log, commandTimeout: number): Redis {
  const redis = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout,
  });
  const warn = throttled(log);
  redis.on('error', (error) => warn('Redis does not answer; jobs wait for the dispatcher', error));
  return redis;
}

/** A client for processes that can only wait until Redis is back. */
export const redisForWorkers = (url: string, log: Log): Redis => waitingRedis(url, log, {});

/**
 * A client that only subscribes. Without ioredis's ready check: Redis refuses its INFO on a
 * connection where a SUBSCRIBE came first, and every waiting command fails with it. ioredis repeats
 * `subscribe` whenever it reconnects and handles no rejection: a Redis that refuses it would end
 * the process.
 */
export function redisForListening(url: string, log: Log): Redis {
  const redis = waitingRedis(url, log, { enableReadyCheck: false });
  const warn = throttled(log);
  const subscribe = redis.subscribe.bind(redis) as (...channels: string[]) => Promise<unknown>;
  return Object.assign(redis, {
    subscribe(...channels: string[]) {
      const subscribed = subscribe(...channels);
      subscribed.catch((error: unknown) => {
        if (redis.status === 'ready') warn('Redis refuses a subscription', error);
      });
      return subscribed;
    },
  });
}

function waitingRedis(url: string, log: Log, options: RedisOptions): Redis {
  const redis = openRedis(url, { maxRetriesPerRequest: null, ...options });
  const warn = throttled(log);
  redis.on('error', (error) => warn('Redis does not answer; waiting for it', error));
  return redis;
}

function openRedis(url: string, use: RedisOptions): Redis {
  const address = redisAddressOf(url);
  const options: RedisOptions = {
    ...use,
    connectTimeout: 2_000,
    retryStrategy: (times) => Math.min(50 * 2 ** times, 1_000),
  };
  const redis =
    'url' in address
      ? new EndingRedis(address.url, options)
      : // The Sentinels announce a new primary.
        new EndingRedis({
          ...address.sentinels,
          ...options,
          failoverDetector: true,
          sentinelCommandTimeout: 1_000,
        });
  closeWhenSilent(redis);
  return redis;
}

/**
 * A client that always emits `end`. `disconnect` of ioredis stops the timer of a connection that
 * waits to reconnect and emits none, for which BullMQ would wait for ever. This one ends at its
 * next attempt.
 */
class EndingRedis extends Redis {
  override disconnect(reconnect = false): void {
    if (this.status !== 'reconnecting' || reconnect) super.disconnect(reconnect);
    else this.once('connecting', () => super.disconnect());
  }

  /** Makes the connections on which BullMQ's workers block. */
  override duplicate(options?: Partial<RedisOptions>): Redis {
    return new EndingRedis({ ...this.options, ...options });
  }
}

/**
 * Closes the connection, which ioredis then renews, if Redis owes an answer and sent no byte for
 * four seconds: its host may have vanished silently, and the kernel would go on for 15 minutes (see
 * half_open.ts). An idle connection sends PING. The connection on which a BullMQ worker blocks is
 * made by BullMQ, which gives it up itself after three seconds.
 */
function closeWhenSilent(redis: Redis): void {
  const now = wakingTime(LOOK_EVERY_MS);
  let last = { stream: redis.stream, bytesRead: 0, at: now() };
  const timer = setInterval(() => {
    const { stream } = redis;
    const at = now();
    if (!stream || stream !== last.stream || stream.bytesRead !== last.bytesRead) {
      last = { stream, bytesRead: stream?.bytesRead ?? 0, at };
    } else if (at - last.at > SILENT_MS_MAX) {
      stream.destroy(new Error(`Redis sent no byte for ${SILENT_MS_MAX} ms`));
    } else if (at - last.at > PING_AFTER_MS && redis.status === 'ready') {
      redis.ping().catch(() => undefined); // Only arriving bytes matter.
    }
  }, LOOK_EVERY_MS).unref();
  redis.once('end', () => clearInterval(timer));
}

/**
 * Logs an error if this Redis may evict keys. No work is lost then, because every job is a row, but
 * jobs would wait for the dispatcher. If CONFIG is forbidden, nothing is logged.
 */
export async function warnOfEviction(redis: Redis, log: Log): Promise<void> {
  const [, policy] = await (redis.config('GET', 'maxmemory-policy') as Promise<string[]>).catch(
    () => [],
  );
  if (policy === undefined || policy === 'noeviction') return;
  log.error({ policy }, 'Redis may drop jobs: set its maxmemory-policy to noeviction');
}
