import { moveEventWatermark } from '../shared/domains/events/watermark.ts';
import { batchesOf, type Batch } from '../shared/jobs/queue.ts';
import { catalog } from '../shared/composition/catalog.ts';
import { queues } from '../shared/composition/queues.ts';
import type { Context } from '../shared/composition/context.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import { throttled } from '../shared/platform/log.ts';
import { PREFIX } from '../shared/platform/redis.ts';
import { batchTimesOf } from './batch_times.ts';
import {
  forgetPushes,
  look,
  makeDue,
  moveWatermarks,
  takeDelayed,
  takeImmediate,
  type DueJob,
  type JobTimes,
} from './due_jobs.ts';
import { startSchedules, type StartedPeriods } from './schedules.ts';

const ROUND_EVERY_MS = 250;
const MOVE_EVERY_MS = 1_000;
/** Number of batches of its worker that a taken job may wait for. */
const BATCH_TIMES = 3;
const BATCHES_MS_MAX = 750;
/** Pause while no job comes and none could be due soon, so that an idle worker is quiet. */
const IDLE_ROUND_EVERY_MS = 1_000;
const IDLE_MOVE_EVERY_MS = 5_000;

/**
 * Pushes jobs that are due, and jobs that Redis or a dead process lost. Any number of dispatchers
 * may run: rows are taken with SKIP LOCKED. Without one nothing is lost, but these jobs wait.
 */
export function startDispatcher(
  context: Context,
  prefix = PREFIX,
  options: DispatchOptions = {},
): Dispatcher {
  const warn = throttled(context.log);
  const dispatch = openDispatch(context, prefix, options);
  const { redis } = context.queue;
  let round: Promise<unknown> | undefined;
  let nextAt = 0;

  const runRound = () =>
    (round ??= dispatch()
      .then(({ isIdle }) => (nextAt = isIdle ? performance.now() + IDLE_ROUND_EVERY_MS : 0))
      .catch((error: unknown) => warn('the dispatcher could not look for due jobs', error))
      .finally(() => (round = undefined)));
  const runNow = () => void runRound(); // For jobs that were recorded while Redis was away.
  const timer = setInterval(() => {
    if (performance.now() >= nextAt) void runRound();
  }, ROUND_EVERY_MS);
  redis.on('ready', runNow);

  return {
    ready: runRound(),
    async stop() {
      clearInterval(timer);
      redis.off('ready', runNow);
      await round;
    },
  };
}

interface DispatchOptions {
  /** False: scheduled operations start only on demand. For tests. */
  readonly schedules?: boolean;
}

interface Dispatcher {
  /** Resolves when the first round has ended. */
  readonly ready: Promise<unknown>;
  stop(): Promise<void>;
}

/** Each call of the result is one round. Idle: the next round need not come soon. */
export function openDispatch(
  context: Context,
  prefix = PREFIX,
  { schedules = true }: DispatchOptions = {},
): () => Promise<{ readonly isIdle: boolean }> {
  const started: StartedPeriods = new Map();
  let movedAt = -Infinity;

  async function move(): Promise<void> {
    await moveWatermarks(context);
    await moveEventWatermark(context.reserved); // Webhooks are sent the events below it.
    movedAt = performance.now();
  }

  return async () => {
    // Taking rows or starting timers would only pile up work for when Redis is back.
    if (!context.queue.ready()) return { isIdle: false };
    if (schedules) await startSchedules(context, started);
    const times = await jobTimes(context);
    const isRedisNew = await redisLostEverything(context, prefix);
    let found = await look(context, times);
    if (found.ahead) await move();
    if (isRedisNew) await forgetPushes(context);
    if (found.ahead || isRedisNew) found = await look(context, times);
    const due = found.immediate ? await takeImmediate(context, times.durations) : [];
    if (found.delayed) due.push(...(await takeDelayed(context, times.latencies)));
    if (due.length > 0) await push(context, due);
    const moveEveryMs = found.busy ? MOVE_EVERY_MS : IDLE_MOVE_EVERY_MS;
    if (found.movable && performance.now() - movedAt >= moveEveryMs) await move();
    return { isIdle: !found.busy };
  };
}

/**
 * Pushes jobs in batches if they were never pushed, as after an outage of Redis. Others go alone,
 * with their attempts: one of them may have ended its worker, and must not end the others with it.
 */
async function push(context: Context, due: readonly DueJob[]): Promise<void> {
  const ids = due.map(({ id }) => id);
  crashPoint('D0', ids);
  const known = due.flatMap((job) => {
    const op = catalog.get(job.operation); // Unknown here: a newer process has recorded it.
    return op?.queue ? { ...job, queue: op.queue, isSetBased: op.batch !== undefined } : [];
  });
  const batches: Batch[] = batchesOf(known.filter((job) => job.is_first));
  for (const { id, operation, queue, attempts, is_first: isFirst } of known) {
    if (!isFirst) batches.push({ queue, operation, ids: [id], attempts });
  }
  const notPushed: string[] = [];
  await Promise.all(
    batches.map(async (batch) => {
      if (!(await context.queue.push(batch))) notPushed.push(...batch.ids);
    }),
  );
  crashPoint('D1', ids);
  if (notPushed.length > 0) await makeDue(context, notPushed);
}

/**
 * Times after which a job counts as lost. A job pushed after the first batch of its queue still
 * waits there, and a job just taken may be in a batch that takes as long as others did. Neither is
 * lost: pushing it again would only make the queue longer.
 */
async function jobTimes({ queue }: Context): Promise<JobTimes> {
  const latencies: Record<string, number> = {};
  const durations: Record<string, number> = {};
  const found = await Promise.all(
    queues.map(async (name) => [name, await queue.latencyMs(name)] as const),
  );
  const latencyOf = new Map(found);
  for (const { name, queue: queueName } of catalog.values()) {
    if (!queueName) continue;
    latencies[name] = latencyOf.get(queueName) ?? 0;
    const batchMs = BATCH_TIMES * batchTimesOf(queueName).slowestMs();
    durations[name] = latencies[name] + Math.min(batchMs, BATCHES_MS_MAX);
  }
  return { latencies: JSON.stringify(latencies), durations: JSON.stringify(durations) };
}

/** A key that we set once is gone exactly if everything else in Redis is gone too. */
async function redisLostEverything({ queue }: Context, prefix: string): Promise<boolean> {
  return (await queue.redis.set(`${prefix}:epoch`, Date.now(), 'NX')) === 'OK';
}
