import { Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';

import { crashPoint } from '../shared/platform/crash_point.ts';
import { throttled } from '../shared/platform/log.ts';
import { PREFIX } from '../shared/platform/redis.ts';
import type { Context } from '../shared/kernel/context.ts';
import { runBatch } from './run_batch.ts';

interface Data {
  readonly ids: readonly string[];
  readonly again?: number;
  readonly replyTo?: string;
}

const CLOSE_MS_MAX = 6_000;
/** Of that, for telling Redis what is done: it may be gone. */
const TELL_MS_MAX = 3_000;

/** Takes batches off one queue and performs them. Scale by starting more worker processes. */
export function startWorker(
  context: Context,
  queue: string,
  connection: Redis,
  prefix = PREFIX,
): { ready: Promise<unknown>; close(): Promise<void> } {
  const warn = throttled(context.log);

  const inHand = new Set<Promise<void>>();
  async function take(job: Job<Data>): Promise<void> {
    const done = fly(job);
    inHand.add(done);
    await done.finally(() => inHand.delete(done));
  }

  async function fly({ name, data }: Job<Data>): Promise<void> {
    const answers = await runBatch(context, name, data.ids, data.again);
    if (!data.replyTo || answers.length === 0) return;
    // A hint: whoever waits looks into PostgreSQL too. Redis may be gone by now.
    await context.queue.redis
      .publish(data.replyTo, JSON.stringify(answers))
      .catch((error: unknown) => warn('an answer is left for its caller to look up', error));
    crashPoint('W6', data.ids);
  }

  const worker = new Worker<Data>(queue, take, {
    connection,
    prefix,
    concurrency: context.config.concurrency,
    skipVersionCheck: true,
    lockDuration: 30_000,
    stalledInterval: 30_000,
    maxStalledCount: 0, // Redelivery is the dispatcher's: it counts tries where they are not lost.
    drainDelay: 5,
    runRetryDelay: 500,
  });
  const ready = worker.waitUntilReady();
  ready.catch(() => undefined); // It is closed before Redis ever answered.
  worker.on('error', (error) => warn('a worker cannot reach its queue', error));
  worker.on('failed', (job, error) =>
    warn(`a batch of ${job?.name ?? 'unknown'} was left to the dispatcher`, error),
  );

  return {
    ready,
    async close() {
      // BullMQ waits for Redis without end; what is not finished by then is done again elsewhere.
      await Promise.race([
        worker.close(),
        Promise.allSettled(inHand).then(() => timeUp(TELL_MS_MAX)),
        timeUp(CLOSE_MS_MAX),
      ]);
    },
  };
}

const timeUp = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
