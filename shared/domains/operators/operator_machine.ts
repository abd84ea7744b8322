import { jobsByQueue } from '../jobs/admin/recent_jobs.ts';
import { operation } from '../../kernel/operation.ts';
import { Input, Nullable, OneOf, Output, Time, Type } from '../../kernel/schema.ts';
import { BARS, findDay } from './machine/day.ts';
import { ROLES } from './machine/records.ts';
import { findProcesses, PROCESSES_MAX, SILENT_SECONDS } from './machine/processes.ts';
import { findSchedules } from './machine/schedules.ts';
import { selfChecksOf, SelfChecks } from './self_checks.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Ms = (description: string) =>
  Nullable(Type.Number({ description: `Milliseconds ${description}` }));

export const operatorMachine = operation({
  name: 'operator_machine',
  title: 'Show the processes, queues and timers',
  summary:
    'Operators: shows the processes that run, where jobs wait, the last run of each timer, the ' +
    'self-checks, and calls and jobs of the last day by half-hour.',
  access: 'operator',
  mode: 'read',
  reads: { costly: true },
  rest: 'GET /api/v1/admin/machine',
  bindings: { tool: false },
  input: Input({}),
  output: Output('OperatorMachine', {
    processes: Type.Array(
      Output({
        role: OneOf(ROLES, 'api answers calls, worker performs jobs, socks relays connections.'),
        state: OneOf(
          ['running', 'silent'],
          `silent: not seen for ${SILENT_SECONDS} seconds, so it hangs or was killed.`,
        ),
        host: Type.String({ description: 'Name of its machine.' }),
        pid: Type.Integer({ description: 'Process id there.' }),
        release: Type.String({ description: 'Version of its program.' }),
        started_at: Time('Start.'),
        seen_at: Time('Last sign of life.'),
        memory_mb: Count('Memory in use, in MiB.'),
        cpu_percent: Count('CPU time used lately, in percent of one core.'),
        queues: Type.Array(Type.String(), { maxItems: 10, description: 'Queues it takes.' }),
      }),
      { maxItems: PROCESSES_MAX, description: 'Processes seen within an hour.' },
    ),
    queues: Type.Array(
      Output({
        queue: Type.String({ description: 'Name of the queue.' }),
        pending: Count('Jobs not ended, of the first 20 000.'),
        failing: Count('Pending jobs retried after a fault.'),
        resting: Count('Pending jobs given up, or waiting for an owner.'),
        oldest_due_at: Nullable(Time('The oldest is due since then; null: none is.')),
        waiting: Nullable(Count('Batches in Redis waiting for a worker; null: no worker says.')),
        active: Nullable(Count('Batches that workers have taken; null: no worker says.')),
        latency_ms: Nullable(Count('Milliseconds that the first batch has waited.')),
        jobs_per_minute: Type.Number({ description: 'Jobs ended, over five minutes.' }),
        refused: Count('Jobs ended in a refusal within five minutes.'),
        p50_ms: Ms('from acceptance to end, median; null: none ended.'),
        p99_ms: Ms('from acceptance to end, 99th percentile; null: none ended.'),
      }),
      { maxItems: 10, description: 'All queues.' },
    ),
    schedules: Type.Array(
      Output({
        operation: Type.String({ description: 'Name of the timer.' }),
        every_seconds: Type.Number({ description: 'Its period.' }),
        last_run_at: Nullable(Time('Start of its last run; null: none in five periods.')),
        finished_at: Nullable(Time('End of that run; null: it has not ended.')),
        next_run_at: Time('Start of the next period.'),
        fault: Nullable(Type.String({ description: 'The last fault of that run.' })),
        failed_rows: Count('Rows it could not process (list_faults).'),
      }),
      { maxItems: 100, description: 'All timers, by name.' },
    ),
    self_checks: SelfChecks,
    day: Type.Array(
      Output({
        at: Time('Begin of the half-hour.'),
        calls: Count('Calls answered.'),
        faults: Count('Calls that ended in a fault of the platform.'),
        p50_ms: Ms('from a call to its answer, median; null: no call.'),
        p99_ms: Ms('from a call to its answer, 99th percentile; null: no call.'),
        jobs: Count('Jobs that workers took.'),
        job_faults: Count('Attempts of jobs that failed.'),
        waiting: Count('Most jobs due at one moment, up to 20 000.'),
        wait_seconds: Type.Number({ description: 'Longest wait of a due job.' }),
      }),
      { minItems: BARS, maxItems: BARS, description: 'The last day, oldest first.' },
    ),
  }),

  async handle(tx) {
    const { db, now, operations } = tx;
    const processes = await findProcesses(db);
    const queueOf = new Map(
      [...operations].flatMap(([name, { queue }]) => (queue ? [[name, queue] as const] : [])),
    );
    const counted = processes
      .filter(({ silent }) => !silent)
      .toSorted((a, b) => b.seen_at.getTime() - a.seen_at.getTime())
      .flatMap(({ queues }) => queues);
    return {
      processes: processes.map(({ silent, started_at, seen_at, queues, ...one }) => ({
        ...one,
        state: silent ? ('silent' as const) : ('running' as const),
        started_at: started_at.toISOString(),
        seen_at: seen_at.toISOString(),
        queues: queues.map(({ queue }) => queue),
      })),
      queues: (await jobsByQueue(db, now, queueOf)).map(
        ({ oldest_at, done, p50_ms, p99_ms, ...one }) => {
          const redis = counted.find(({ queue }) => queue === one.queue);
          return {
            ...one,
            oldest_due_at: oldest_at?.toISOString() ?? null,
            waiting: redis?.waiting ?? null,
            active: redis?.active ?? null,
            latency_ms: redis?.latency_ms ?? null,
            jobs_per_minute: Math.round((done + one.refused) * 2) / 10,
            p50_ms: rounded(p50_ms),
            p99_ms: rounded(p99_ms),
          };
        },
      ),
      schedules: await findSchedules(tx),
      self_checks: await selfChecksOf(tx),
      day: await findDay(db, now),
    };
  },
});

const rounded = (ms: number | null) => (ms === null ? null : Math.round(ms * 10) / 10);
