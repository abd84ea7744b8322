import { Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';

import type { JobAnswer } from '../shared/jobs/jobs.ts';
import type { Batch } from '../shared/jobs/queue.ts';
import { ENDED_CHANNEL } from '../shared/jobs/waiters.ts';
import type { Context } from '../shared/kernel/context.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import { throttled } from '../shared/platform/log.ts';
import { histogram, SECONDS } from '../shared/platform/metrics.ts';
import { PREFIX } from '../shared/platform/redis.ts';
import { batchTimesOf } from './batch_times.ts';
import { openGatherings } from './gatherings.ts';
import { runBatch } from './run_batch.ts';

type Data = Pick<Batch, 'ids' | 'attempts' | 'replyTo'>;

const batchJobs = histogram(
  'market_batch_jobs',
  'Jobs of a batch, by queue.',
  [1, 2, 4, 8, 16, 32, 64],
  ['queue'],
);
const batchSeconds = histogram(
  'market_batch_seconds',
  'From the time a worker takes a batch until its jobs are done, or go on by themselves, by queue.',
  SECONDS,
  ['queue'],
);

const CLOSE_MS_MAX = 6_000;
/** Of that, for reporting to Redis what is done: it may be away. */
const REPORT_MS_MAX = 3_000;
/** Jobs that ask outside systems, for each BullMQ job in hand: they mostly wait. */
const GATHERINGS_EACH = 8;

/** Takes batches off one queue and performs them. Scale by starting more worker processes. */
export function startWorker(
  context: Context,
  queue: string,
  connection: Redis,
  prefix = PREFIX,
): { ready: Promise<unknown>; close(): Promise<void> } {
  const warn = throttled(context.log);
  const { concurrency } = context.config.jobs;
  const running = new Set<Promise<void>>();
  const gatherings = openGatherings(concurrency * GATHERINGS_EACH, (error) =>
    warn('a job was left to the dispatcher', error),
  );

  async function take(job: Job<Data>): Promise<void> {
    const done = performBatch(job);
    running.add(done);
    await done.finally(() => running.delete(done));
  }

  async function performBatch({ name: operation, data }: Job<Data>): Promise<void> {
    const isCalled = context.operations.get(operation)?.rest !== undefined;
    const report = (answers: JobAnswer[]) =>
      data.replyTo || isCalled ? publish(data.replyTo, answers) : Promise.resolve();
    const seconds = batchSeconds.startTimer({ queue });
    batchJobs.observe({ queue }, data.ids.length);
    await report(await runBatch(context, { queue, operation, ...data }, { gatherings, report }));
    batchTimesOf(queue).note(seconds() * 1_000);
  }

  /** Nobody said where the answers go: all processes are told, and look whether they wait. */
  async function publish(channel: string | undefined, answers: JobAnswer[]): Promise<void> {
    if (answers.length === 0) return;
    const ids = answers.map(({ id }) => id);
    const { redis } = context.queue;
    // A hint: waiters look into PostgreSQL too. Redis may be away by now.
    await (
      channel
        ? redis.publish(channel, JSON.stringify(answers))
        : redis.publish(ENDED_CHANNEL, JSON.stringify(ids))
    ).catch((error: unknown) => warn('answers are left for their callers to look up', error));
    crashPoint('W6', ids);
  }

  /** Resolves when nothing is in hand. */
  async function settled(): Promise<void> {
    await Promise.allSettled(running);
    await gatherings.settled();
  }

  const worker = new Worker<Data>(queue, take, {
    connection,
    prefix,
    concurrency,
    skipVersionCheck: true,
    lockDuration: 30_000,
    stalledInterval: 30_000,
    // The dispatcher pushes again what was lost: it counts attempts where they are not lost too.
    maxStalledCount: 0,
    // Seconds of one wait for a job. BullMQ gives a connection up that is silent for one more.
    drainDelay: 2,
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
        worker.close().then(settled),
        settled().then(() => timeUp(REPORT_MS_MAX)),
        timeUp(CLOSE_MS_MAX),
      ]);
    },
  };
}

const timeUp = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
