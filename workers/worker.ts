import { Worker, type Job } from 'bullmq';
import type { Redis } from 'ioredis';

import type { JobAnswer } from '../shared/kernel/terms/job_answer.ts';
import type { Counts } from '../shared/domains/operators/machine/records.ts';
import type { Batch } from '../shared/jobs/queue.ts';
import { ENDED_CHANNEL } from '../shared/jobs/waiters.ts';
import type { Context } from '../shared/composition/context.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import { throttled } from '../shared/platform/log.ts';
import { histogram, SECONDS } from '../shared/platform/metrics.ts';
import { PREFIX } from '../shared/platform/redis.ts';
import { batchTimesOf } from './batch_times.ts';
import { countedFaults } from './job_counts.ts';
import { openGatherings } from './network_jobs.ts';
import { openStatements, runBatch } from './run_batch.ts';

type Data = Pick<Batch, 'ids' | 'attempts' | 'replyTo' | 'inputVersion'>;

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

/** Jobs of this process since it started, for its heartbeat. */
export async function countedJobs(): Promise<Pick<Counts, 'jobs' | 'jobFaults'>> {
  const sizes = (await batchJobs.get()).values;
  const ofBatches = sizes.filter(({ metricName }) => metricName?.endsWith('_sum'));
  return {
    jobs: ofBatches.reduce((sum, { value }) => sum + value, 0),
    jobFaults: await countedFaults(),
  };
}

const CLOSE_MS_MAX = 6_000;
/** Part of that time for reporting results to Redis, which may be away. */
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
  const performTogether = openStatements();
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
    const shared = { gatherings, performTogether, report };
    await report(await runBatch(context, { queue, operation, ...data }, shared));
    batchTimesOf(queue).note(seconds() * 1_000);
  }

  /** Without a channel, all processes are notified, and check whether they wait. */
  async function publish(channel: string | undefined, answers: JobAnswer[]): Promise<void> {
    if (answers.length === 0) return;
    const ids = answers.map(({ id }) => id);
    const { redis } = context.queue;
    // Only a hint: waiters look into PostgreSQL too. Redis may be away by now.
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
    // The dispatcher pushes lost jobs again, and counts attempts where they cannot be lost.
    maxStalledCount: 0,
    // Seconds of one wait for a job. BullMQ gives up a connection that is silent for one more.
    drainDelay: 2,
    runRetryDelay: 500,
  });
  const ready = worker.waitUntilReady();
  ready.catch(() => undefined); // It may close before Redis ever answers.
  worker.on('error', (error) => warn('a worker cannot reach its queue', error));
  worker.on('failed', (job, error) =>
    warn(`a batch of ${job?.name ?? 'unknown'} was left to the dispatcher`, error),
  );

  return {
    ready,
    async close() {
      // BullMQ waits for Redis without end; unfinished jobs are done again elsewhere.
      await Promise.race([
        worker.close().then(settled),
        settled().then(() => timeUp(REPORT_MS_MAX)),
        timeUp(CLOSE_MS_MAX),
      ]);
    },
  };
}

const timeUp = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms).unref());
