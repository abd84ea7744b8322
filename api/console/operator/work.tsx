import type { AnswerOf } from '../answers.ts';
import { page } from '../page.ts';
import { Card, Empty, Lead, Missing, Table } from '../parts/card.tsx';
import { AgentLink } from './agent_link.tsx';
import { Badge, When, wordsOf } from '../parts/text.tsx';

/** The queues: where jobs wait. */
export const work = page({
  path: '/admin/jobs',
  title: 'Queues',
  access: 'operator',
  nav: { group: '', icon: 'queue', tab: 'Queues', key: 'q' },
  live: ['clock'],
  reads: { queues: 'queue_status' },
  cards: {
    held: ['list_jobs', { state: 'held' }],
    failing: ['list_jobs', { state: 'failing' }],
    faults: 'list_faults',
  },
  view: ({ queues, held, failing, faults }) => (
    <>
      <Lead title="Queues">
        <p>
          Counts are from PostgreSQL, which decides what is done. The queues of Redis are in{' '}
          <a href="/admin/queues">Bull Board</a>.
        </p>
      </Lead>
      <Card id="held" title="Given up: find out what happened, then retry">
        {held ? <Jobs jobs={held.jobs} /> : <Missing />}
      </Card>
      <Card id="failing" title="Failing">
        {failing ? <Jobs jobs={failing.jobs} /> : <Missing />}
      </Card>
      <Card id="faults" title="Failed timers">
        {faults ? <Faults faults={faults.faults} /> : <Missing />}
      </Card>
      <Card id="operations" title="By operation">
        <Operations operations={queues.operations} />
      </Card>
    </>
  ),
});

type OperationCounts = AnswerOf<'queue_status'>['operations'];

function Operations({ operations }: { operations: OperationCounts }) {
  if (operations.length === 0) return <Empty>No job in five minutes.</Empty>;
  return (
    <Table
      label="Jobs by operation"
      rows={operations}
      columns={[
        { head: 'Operation', cell: ({ operation }) => wordsOf(operation) },
        { head: 'Pending', right: true, cell: ({ pending }) => pending },
        {
          head: 'Due since',
          wide: true,
          cell: ({ oldest_due_at: at }) => (at ? <When at={at} date={false} /> : ''),
        },
        { head: 'Done', right: true, wide: true, cell: ({ done }) => done },
        { head: 'Refused', right: true, cell: ({ refused }) => refused },
        { head: 'p50', right: true, wide: true, cell: ({ p50_ms }) => msOf(p50_ms) },
        { head: 'p99', right: true, wide: true, cell: ({ p99_ms }) => msOf(p99_ms) },
      ]}
    />
  );
}

const msOf = (ms: number | null) => (ms === null ? '' : `${Math.round(ms)} ms`);

function Jobs({ jobs }: { jobs: AnswerOf<'list_jobs'>['jobs'] }) {
  if (jobs.length === 0) return <Empty>None.</Empty>;
  return (
    <Table
      label="Jobs"
      rows={jobs}
      columns={[
        {
          head: 'Job',
          cell: ({ job_id, operation }) => (
            <a href={`/admin/jobs/${job_id}`}>{wordsOf(operation)}</a>
          ),
        },
        {
          head: 'Agent',
          wide: true,
          cell: ({ agent_id: id, username }) =>
            id !== null && username !== null && <AgentLink id={id} username={username} />,
        },
        { head: 'State', cell: ({ state }) => <Badge state={state} /> },
        { head: 'Fault', wide: true, cell: ({ fault }) => fault ?? '' },
        { head: 'Since', cell: ({ created_at }) => <When at={created_at} /> },
      ]}
    />
  );
}

function Faults({ faults }: { faults: AnswerOf<'list_faults'>['faults'] }) {
  if (faults.length === 0) return <Empty>Every row that was due could be processed.</Empty>;
  return (
    <Table
      label="Rows that timers could not process"
      rows={faults}
      columns={[
        { head: 'Timer', cell: ({ operation }) => wordsOf(operation) },
        { head: 'Row', right: true, cell: ({ row_id }) => row_id },
        { head: 'Fault', cell: ({ fault }) => fault },
        { head: 'Attempts', right: true, cell: ({ attempts }) => attempts },
        { head: 'Next', cell: ({ next_attempt_at }) => <When at={next_attempt_at} /> },
      ]}
    />
  );
}
