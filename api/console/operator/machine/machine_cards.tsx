import type { AnswerOf } from '../../answers.ts';
import { Empty, Table } from '../../parts/card.tsx';
import { Badge, When, wordsOf } from '../../parts/text.tsx';
import { Bars } from './bars.tsx';

/* The tables and charts of the machine. */

type Machine = AnswerOf<'operator_machine'>;

export function Processes({ processes }: Pick<Machine, 'processes'>) {
  if (processes.length === 0) {
    return <Empty>No process has recorded itself yet. Each does so within 15 seconds.</Empty>;
  }
  return (
    <Table
      label="Processes"
      rows={processes}
      columns={[
        {
          head: 'Process',
          cell: ({ role, queues }) => (
            <>
              {ROLES[role]}
              {queues.length > 0 && <span class="note">{queues.join(', ')}</span>}
            </>
          ),
        },
        {
          head: 'State',
          cell: ({ state }) => (
            <Badge state={state} kind={state === 'running' ? 'yours' : 'owed'} />
          ),
        },
        { head: 'Seen', cell: ({ seen_at }) => <When at={seen_at} date={false} /> },
        { head: 'Started', wide: true, cell: ({ started_at }) => <When at={started_at} /> },
        { head: 'Release', wide: true, cell: ({ release }) => <code>{release}</code> },
        { head: 'Host, process', wide: true, cell: ({ host, pid }) => `${host}, ${pid}` },
        { head: 'Memory', right: true, cell: ({ memory_mb }) => `${memory_mb} MiB` },
        { head: 'CPU', right: true, cell: ({ cpu_percent }) => `${cpu_percent} %` },
      ]}
    />
  );
}

const ROLES = { api: 'API', worker: 'Worker', socks: 'SOCKS5 server' };

export function Day({ day }: Pick<Machine, 'day'>) {
  const ends = [`${timeOf(day[0]!.at)} UTC`, `${timeOf(day.at(-1)!.at)} UTC`] as const;
  const chart = (value: (one: Machine['day'][number]) => readonly [number, number]) =>
    day.map((one) => ({ one, value: value(one)[0], part: value(one)[1] }));
  return (
    <>
      <div class="halves">
        <Bars
          label="Calls"
          partLabel="Faults"
          ends={ends}
          highest={(calls) => `${calls} in 30 minutes`}
          bars={chart(({ calls, faults }) => [calls, faults]).map(({ one, ...bar }) => ({
            ...bar,
            title: `${timeOf(one.at)}: ${one.calls} calls, ${one.faults} faults`,
          }))}
        />
        <Bars
          label="99 of 100 calls within"
          partLabel="Half of the calls within"
          ends={ends}
          highest={(ms) => msOf(ms)}
          bars={chart(({ p50_ms, p99_ms }) => [p99_ms ?? 0, p50_ms ?? 0]).map(
            ({ one, ...bar }) => ({
              ...bar,
              title: `${timeOf(one.at)}: p50 ${msOf(one.p50_ms)}, p99 ${msOf(one.p99_ms)}`,
            }),
          )}
        />
        <Bars
          label="Jobs"
          partLabel="Failed attempts"
          ends={ends}
          highest={(jobs) => `${jobs} in 30 minutes`}
          bars={chart(({ jobs, job_faults }) => [jobs, job_faults]).map(({ one, ...bar }) => ({
            ...bar,
            title: `${timeOf(one.at)}: ${one.jobs} jobs, ${one.job_faults} failed attempts`,
          }))}
        />
        <Bars
          label="Longest wait of a due job"
          partLabel="Of it, above one minute"
          ends={ends}
          highest={(seconds) => `${seconds.toFixed(1)} s`}
          bars={chart(({ wait_seconds: wait }) => [wait, Math.max(0, wait - 60)]).map(
            ({ one, ...bar }) => ({
              ...bar,
              title: `${timeOf(one.at)}: ${one.wait_seconds.toFixed(1)} s, ${one.waiting} waiting`,
            }),
          )}
        />
      </div>
      <details>
        <summary>Show as a table</summary>
        <Table
          label="The last 24 hours, by half-hour"
          rows={day.toReversed()}
          columns={[
            { head: 'From', cell: ({ at }) => <When at={at} date={false} /> },
            { head: 'Calls', right: true, cell: ({ calls }) => calls },
            { head: 'Faults', right: true, cell: ({ faults }) => faults },
            { head: 'p50', right: true, cell: ({ p50_ms }) => msOf(p50_ms) },
            { head: 'p99', right: true, cell: ({ p99_ms }) => msOf(p99_ms) },
            { head: 'Jobs', right: true, cell: ({ jobs }) => jobs },
            { head: 'Failed', right: true, cell: ({ job_faults }) => job_faults },
            { head: 'Waiting', right: true, cell: ({ waiting }) => waiting },
            { head: 'Wait', right: true, cell: (one) => `${one.wait_seconds.toFixed(1)} s` },
          ]}
        />
      </details>
    </>
  );
}

const timeOf = (at: string) => at.slice(11, 16);
const msOf = (ms: number | null) =>
  ms === null ? '–' : ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
const orDash = (count: number | null) => count ?? '–';

export const QueueTable = ({ queues }: Pick<Machine, 'queues'>) => (
  <>
    <Table
      label="Queues"
      rows={queues}
      columns={[
        { head: 'Queue', cell: ({ queue }) => wordsOf(queue) },
        { head: 'Pending', right: true, cell: ({ pending }) => pending },
        { head: 'Waiting', right: true, cell: ({ waiting }) => orDash(waiting) },
        { head: 'Active', right: true, cell: ({ active }) => orDash(active) },
        {
          head: 'Failing',
          right: true,
          cell: ({ failing }) =>
            failing > 0 ? <Badge state={String(failing)} kind="owed" /> : failing,
        },
        { head: 'Resting', right: true, wide: true, cell: ({ resting }) => resting },
        {
          head: 'Due since',
          wide: true,
          cell: ({ oldest_due_at: at }) => (at ? <When at={at} date={false} /> : ''),
        },
        {
          head: 'A minute',
          right: true,
          wide: true,
          cell: ({ jobs_per_minute }) => jobs_per_minute,
        },
        { head: 'Latency', right: true, wide: true, cell: ({ latency_ms }) => msOf(latency_ms) },
        { head: 'p50', right: true, wide: true, cell: ({ p50_ms }) => msOf(p50_ms) },
        { head: 'p99', right: true, wide: true, cell: ({ p99_ms }) => msOf(p99_ms) },
      ]}
    />
    <p class="small dim">
      Pending, failing and resting are jobs, from PostgreSQL. Waiting, active and latency are
      batches in Redis, as a worker saw them within the last minute. p50 and p99 are from acceptance
      to end, over five minutes.
    </p>
  </>
);

export const Schedules = ({ schedules }: Pick<Machine, 'schedules'>) => (
  <Table
    label="Timers"
    rows={schedules}
    columns={[
      { head: 'Timer', cell: ({ operation }) => wordsOf(operation) },
      { head: 'Every', right: true, cell: ({ every_seconds: seconds }) => everyOf(seconds) },
      {
        head: 'Last run',
        cell: ({ last_run_at: at, finished_at }) =>
          at === null ? (
            'none lately'
          ) : (
            <>
              <When at={at} date={false} />
              {finished_at === null && <span class="note">not ended</span>}
            </>
          ),
      },
      {
        head: 'Next',
        wide: true,
        cell: ({ next_run_at }) => <When at={next_run_at} date={false} />,
      },
      {
        head: 'Fault',
        cell: ({ fault, failed_rows: rows }) => (
          <>
            {fault ?? (rows === 0 && 'none')}
            {rows > 0 && <Badge state={`${rows} rows failed`} kind="owed" />}
          </>
        ),
      },
    ]}
  />
);

const everyOf = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : seconds < 3_600 ? `${seconds / 60} min` : `${seconds / 3_600} h`;

export const SelfCheckTable = ({ checks }: { checks: Machine['self_checks'] }) => (
  <Table
    label="Self-checks of this process"
    rows={checks}
    columns={[
      { head: 'Check', cell: ({ name }) => wordsOf(name) },
      {
        head: 'State',
        cell: ({ status }) => (status === 'ok' ? 'ok' : <Badge state={status} kind="owed" />),
      },
      { head: 'Found', cell: ({ message }) => message },
    ]}
  />
);
