import type { DueJobs } from '../../../jobs/waiting_jobs.ts';
import { execute, type Database } from '../../../platform/rows.ts';

export const ROLES = ['api', 'worker', 'socks'] as const;
export type Role = (typeof ROLES)[number];

/** A queue as Redis counts it. */
export interface QueueCounts {
  readonly queue: string;
  /** Batches that wait for a worker. */
  readonly waiting: number;
  /** Batches that workers have taken. */
  readonly active: number;
  /** Time that the first batch has waited, in ms. */
  readonly latency_ms: number;
}

/** A process, as it describes itself. */
interface ProcessState {
  readonly id: string;
  readonly role: Role;
  readonly host: string;
  readonly pid: number;
  readonly release: string;
  readonly startedAt: Date;
  readonly memoryMb: number;
  /** CPU time since the state before, in percent of one core. */
  readonly cpuPercent: number;
  readonly queues: readonly QueueCounts[];
}

/** Counts of a process. */
export interface Counts {
  readonly calls: number;
  readonly faults: number;
  /** Calls by their time: one number for each bound of SECONDS, and one for those above. */
  readonly callTimes: readonly number[];
  readonly jobs: number;
  readonly jobFaults: number;
}

/** Records that a process runs. */
export async function noteProcess(db: Database, state: ProcessState): Promise<void> {
  await execute(
    db,
    `insert into process (id, role, host, pid, release, started_at, memory_mb, cpu_percent, queues)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (id) do update
       set seen_at = now(), memory_mb = excluded.memory_mb, cpu_percent = excluded.cpu_percent,
           queues = excluded.queues`,
    [
      state.id,
      state.role,
      state.host,
      state.pid,
      state.release,
      state.startedAt,
      state.memoryMb,
      state.cpuPercent,
      JSON.stringify(state.queues),
    ],
  );
}

/** Records that a process has ended in order. */
export const endProcess = (db: Database, id: string): Promise<number> =>
  execute(db, 'delete from process where id = $1', [id]);

/** Adds counts, and the jobs that wait now, to the present minute. */
export async function noteMinute(db: Database, counts: Counts, due: DueJobs): Promise<void> {
  await execute(
    db,
    `insert into machine_minute as m
            (at, calls, faults, call_times, jobs, job_faults, waiting, wait_seconds)
     values (date_trunc('minute', now()), $1, $2, $3, $4, $5, $6, $7)
     on conflict (at) do update
       set calls = m.calls + excluded.calls, faults = m.faults + excluded.faults,
           jobs = m.jobs + excluded.jobs, job_faults = m.job_faults + excluded.job_faults,
           waiting = greatest(m.waiting, excluded.waiting),
           wait_seconds = greatest(m.wait_seconds, excluded.wait_seconds),
           call_times = (select array_agg(a + b order by n)
                           from unnest(m.call_times, excluded.call_times)
                                with ordinality as both_times(a, b, n))`,
    [
      counts.calls,
      counts.faults,
      counts.callTimes,
      counts.jobs,
      counts.jobFaults,
      due.waiting,
      due.seconds,
    ],
  );
}
