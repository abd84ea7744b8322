import { Redis, type RedisOptions } from 'ioredis';

import { throttled, type Log } from './log.ts';

export type RedisClient = Redis;

/** Begins every key of ours. In braces: a cluster keeps the keys of one queue in one slot. */
export const PREFIX = '{market}';

const quickRetry = (times: number) => Math.min(50 * 2 ** times, 1_000);

/**
 * For a process that serves requests: fails at once when Redis is away, and each command has its
 * own timeout. A timeout means "unknown", never "not done".
 */
export function redisForRequests(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: 800,
    connectTimeout: 2_000,
    retryStrategy: quickRetry,
  });
  const warn = throttled(log);
  redis.on('error', (error) => warn('Redis does not answer; jobs wait for the dispatcher', error));
  return redis;
}

/** For a process that can do nothing but wait until Redis is back. */
export const redisForWorkers = (url: string, log: Log): Redis => waitingRedis(url, log, {});

/**
 * For a connection that only subscribes. Without ioredis's ready check: Redis refuses its INFO on a
 * connection on which a SUBSCRIBE came first, and every command that waits there fails with it.
 */
export const redisForListening = (url: string, log: Log): Redis =>
  waitingRedis(url, log, { enableReadyCheck: false });

function waitingRedis(url: string, log: Log, options: RedisOptions): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: 2_000,
    retryStrategy: quickRetry,
    ...options,
  });
  const warn = throttled(log);
  redis.on('error', (error) => warn('Redis does not answer; waiting for it', error));
  return redis;
}

/**
 * Logs an error when this Redis may evict keys. No work is lost by that, because every job is a
 * row, but jobs would wait for the dispatcher. Where CONFIG is forbidden, nothing is logged.
 */
export async function warnOfEviction(redis: Redis, log: Log): Promise<void> {
  const [, policy] = await (redis.config('GET', 'maxmemory-policy') as Promise<string[]>).catch(
    () => [],
  );
  if (policy === undefined || policy === 'noeviction') return;
  log.error({ policy }, 'Redis may drop jobs: set its maxmemory-policy to noeviction');
}
