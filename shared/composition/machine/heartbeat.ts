import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';

import {
  endProcess,
  noteMinute,
  noteProcess,
  type Counts,
  type Role,
} from '../../domains/operators/machine/records.ts';
import { newJobId } from '../../jobs/jobs.ts';
import { findDueJobs } from '../../jobs/waiting_jobs.ts';
import { throttled } from '../../platform/log.ts';
import { withTimeout } from '../../platform/timeout.ts';
import type { Context } from '../context.ts';
import { SECONDS } from '../../platform/metrics.ts';
import { countsOf } from './queue_counts.ts';

const EVERY_MS = 15_000;
/** Redis may hang; then the queues of this beat are unknown. */
const REDIS_MS_MAX = 1_000;

/** The parts that only some kinds of processes have. */
interface Parts {
  readonly role: Role;
  /** Queues that a worker takes. */
  readonly queues?: readonly string[];
  /** Counts since the process started. */
  readonly counted?: () => Promise<Partial<Counts>>;
}

const NOTHING: Counts = {
  calls: 0,
  faults: 0,
  callTimes: [...SECONDS, Infinity].map(() => 0),
  jobs: 0,
  jobFaults: 0,
};
const NONE_DUE = { waiting: 0, seconds: 0 };

/** Records regularly that a process runs, and what it has counted, for operators. */
interface Heartbeat {
  /** Records once, now. */
  beat(): Promise<void>;
  /** Ends it, and records that the process ends. */
  stop(): Promise<void>;
}

/** Begins at once. A beat that fails is logged; its counts go with the next one. */
export function startHeartbeat(context: Context, { role, queues = [], counted }: Parts): Heartbeat {
  const { reserved, config, clock, log } = context;
  const warn = throttled(log);
  const startedAt = clock.now();
  const self = {
    id: newJobId(startedAt),
    role,
    host: hostname(),
    pid: process.pid,
    release: config.release ?? basename(dirname(process.argv[1] ?? '')),
    startedAt,
  };
  let recorded = NOTHING;
  let cpu = { usage: process.cpuUsage(), at: performance.now() };
  let beating: Promise<void> | undefined;

  async function record(): Promise<void> {
    const used = process.cpuUsage(cpu.usage);
    const cpuMs = (used.user + used.system) / 1_000;
    const ms = Math.max(1, performance.now() - cpu.at);
    cpu = { usage: process.cpuUsage(), at: performance.now() };
    await noteProcess(reserved, {
      ...self,
      memoryMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
      cpuPercent: Math.round((100 * cpuMs) / ms),
      queues: await withTimeout(
        Promise.all(queues.map((queue) => countsOf(context, queue))),
        REDIS_MS_MAX,
      ).catch(() => []),
    });
    const now = { ...NOTHING, ...(await counted?.()) };
    const due = queues.length > 0 ? await findDueJobs(reserved) : NONE_DUE;
    const more = difference(now, recorded);
    if (more.calls + more.jobs + more.jobFaults + due.waiting === 0) return;
    await noteMinute(reserved, more, due);
    recorded = now;
  }

  const beat = () => (beating ??= record().finally(() => (beating = undefined)));
  const tryBeat = () =>
    void beat().catch((error: unknown) => warn('the state of this process is not recorded', error));
  const timer = setInterval(tryBeat, EVERY_MS);
  tryBeat();

  return {
    beat,
    async stop() {
      clearInterval(timer);
      await beating?.catch(() => undefined);
      // A server that does not answer must not hold up the end.
      await withTimeout(endProcess(reserved, self.id), REDIS_MS_MAX).catch(() => undefined);
    },
  };
}

const difference = (now: Counts, before: Counts): Counts => ({
  calls: now.calls - before.calls,
  faults: now.faults - before.faults,
  callTimes: now.callTimes.map((count, n) => count - before.callTimes[n]!),
  jobs: now.jobs - before.jobs,
  jobFaults: now.jobFaults - before.jobFaults,
});
