import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

import type { Clock } from '../platform/clock.ts';
import { throttled, type Log } from '../platform/log.ts';
import { PREFIX, redisForRequests } from '../platform/redis.ts';

/** The message in Redis: ids, and the channel for the answers. No input, no secret. */
export interface Batch {
  readonly queue: string;
  readonly operation: string;
  readonly ids: readonly string[];
  /**
   * Attempts counted in the row of a single job that the dispatcher pushes: another worker may be
   * performing it.
   */
  readonly attempts?: number;
  /** The channel of the process that waits for the answers. */
  readonly replyTo?: string;
  /**
   * Version of the inputs that the operation took when its calls were just recorded. Absent: they
   * may have been recorded long ago, by any version.
   */
  readonly inputVersion?: string;
}

const BATCH_IDS_MAX = 64;
/** Maximum ids in a batch of jobs performed one by one: few, so that workers share them. */
const SINGLES_MAX = 8;

/** Groups the jobs that one transaction has started into few batches. */
export function batchesOf(
  jobs: readonly { id: string; operation: string; queue: string; isSetBased: boolean }[],
): Batch[] {
  const byOperation = new Map<string, { queue: string; size: number; ids: string[] }>();
  for (const { id, operation, queue, isSetBased } of jobs) {
    const found = byOperation.get(operation);
    if (found) found.ids.push(id);
    else {
      const size = isSetBased ? BATCH_IDS_MAX : SINGLES_MAX;
      byOperation.set(operation, { queue, size, ids: [id] });
    }
  }
  return [...byOperation].flatMap(([operation, { queue, size, ids }]) =>
    Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ({
      queue,
      operation,
      ids: ids.slice(n * size, (n + 1) * size),
    })),
  );
}

/** Pushes ids by BullMQ. A failed push is harmless: the dispatcher pushes again. */
export interface JobQueue {
  /** Never throws, and takes little longer than `redisMs`. False: perhaps not in the queue. */
  push(batch: Batch): Promise<boolean>;
  /** Wait of the first batch of this queue in ms; 0: there is none. */
  readonly latencyMs: (queue: string) => Promise<number>;
  /** Whether Redis answers now. */
  ready(): boolean;
  /** The connection for all other commands: answers, the epoch. Fails fast. */
  readonly redis: Redis;
  /** Prefix of all our keys in Redis. */
  readonly prefix: string;
  /** The BullMQ queue, for Bull Board; only while Redis is ready. */
  readonly queueOf: (name: string) => Queue;
  close(): Promise<void>;
}

/** Time for the work of BullMQ besides the command of a push. */
const PUSH_MS_MORE = 200;
const CLOSE_MS_MAX = 1_000;
/** Time after a failed push in which other pushes fail at once, instead of waiting too. */
const PAUSE_MS = 500;

export function openQueue(
  redisUrl: string,
  log: Log,
  {
    clock,
    redisMs,
    prefix = PREFIX,
  }: { clock: Clock; redisMs: number; prefix?: string | undefined },
): JobQueue {
  const redis = redisForRequests(redisUrl, log, redisMs);
  const warn = throttled(log);
  const queues = new Map<string, Queue>();
  let pausedUntil = 0;
  const ready = () => redis.status === 'ready' && performance.now() >= pausedUntil;

  // A Queue first used while Redis is unreachable stays broken for good, so each is created only
  // when the connection is ready.
  function queueOf(name: string): Queue {
    let queue = queues.get(name);
    if (!queue) {
      queue = new Queue(name, {
        connection: redis,
        prefix,
        skipVersionCheck: true,
        defaultJobOptions: {
          attempts: 1, // Attempts are counted in PostgreSQL; the dispatcher makes them.
          removeOnComplete: true,
          removeOnFail: { age: 3_600, count: 1_000 },
        },
      });
      queue.on('error', (error) => warn('a queue reports a fault', error));
      queues.set(name, queue);
    }
    return queue;
  }

  return {
    redis,
    prefix,
    queueOf,
    ready,
    async push({ queue, operation, ...data }) {
      if (!ready()) return false;
      const added = queueOf(queue)
        .add(operation, data, { timestamp: clock.now().getTime() })
        .then(
          () => true,
          (error: unknown) => {
            warn('a batch waits for the dispatcher', error);
            return false;
          },
        );
      // commandTimeout does not cover BullMQ's own waiting, hence this deadline.
      const pushed = await Promise.race([added, deadline(redisMs + PUSH_MS_MORE)]);
      if (!pushed) pausedUntil = performance.now() + PAUSE_MS;
      return pushed;
    },
    async latencyMs(queue) {
      if (!ready()) throw new Error('Redis does not answer');
      const [next] = await queueOf(queue).getWaiting(0, 0);
      return next ? Math.max(0, clock.now().getTime() - next.timestamp) : 0;
    },
    async close() {
      redis.removeAllListeners('error').on('error', () => undefined); // The connection ends anyway.
      // Closing a queue asks Redis, which may be unreachable; the process must end anyway.
      await Promise.race([
        Promise.allSettled([...queues.values()].map((q) => q.close())),
        deadline(CLOSE_MS_MAX),
      ]);
      redis.disconnect();
    },
  };
}

const deadline = (ms: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), ms).unref());
