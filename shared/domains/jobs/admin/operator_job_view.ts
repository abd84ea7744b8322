import { Id, Nullable, OneOf, Output, Time, Type, type Static } from '../../../kernel/schema.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { shownName } from '../../../kernel/text.ts';
import {
  column,
  namesOf,
  nullable,
  oneOf,
  rows,
  type Database,
  type Row,
} from '../../../platform/rows.ts';
import { isJobId } from '../job_view.ts';

const STATES = [
  'queued',
  'scheduled',
  'failing',
  'waiting',
  'deferred',
  'held',
  'complete',
  'failed',
] as const;
export type State = (typeof STATES)[number];
export const StateName = OneOf(
  STATES,
  'queued: in a queue or with a worker; scheduled: due later; failing: will be attempted again ' +
    'after a fault; waiting: for jobs that it started; deferred: for the decision of an owner; ' +
    'held: given up, although its outside request may have succeeded.',
);

/** Any job, as operators see it: without input and answer if it is an agent's. */
export const OperatorJobView = Output('OperatorJob', {
  job_id: Type.String({ description: 'The job.' }),
  operation: Type.String({ description: 'The operation called.' }),
  agent_id: Nullable(Id('The agent that called; null: an operator or a timer.')),
  username: Nullable(Type.String({ description: 'Name of the agent.' })),
  operator: Nullable(Type.String({ description: 'Name of the operator that called.' })),
  status: OneOf(['pending', 'complete', 'failed'], 'failed: see error_code.'),
  state: StateName,
  waits_for: Nullable(Type.String({ description: 'Reason it is pending, and what ends that.' })),
  attempts: Type.Integer({ description: 'Attempts after the first, since the last retry.' }),
  fault: Nullable(Type.String({ description: 'Last fault.' })),
  next_attempt_at: Nullable(Time('Earliest next attempt; null: at once, or only by retry_job.')),
  request_id: Type.String({ description: 'Request of the call, as in the server log.' }),
  created_at: Time('Time the call was accepted.'),
  finished_at: Nullable(Time('Time it finished.')),
  progress: Type.Optional(Type.Unknown({ description: 'Progress of a long job.' })),
  error_code: Nullable(Type.String({ description: 'Error code of a failed job.' })),
  result: Type.Optional(Type.Unknown({ description: "Result of an operator's or timer's job." })),
});

/** SQL: the state of a job. `waiting` matches the row that awaitChildJobs leaves. */
const STATE = `
  case when status <> 'pending' then status
       when deferral is not null then 'deferred'
       when run_at = 'infinity' then 'held'
       when progress is not null and attempts = 0 and run_at > now() then 'waiting'
       when fault is not null then 'failing'
       when run_at > now() and push_after is null then 'scheduled'
       else 'queued' end`;

const COLUMNS = {
  id: column.text,
  operation: column.text,
  agent_id: column.id,
  username: nullable(column.text),
  operator: nullable(column.text),
  status: oneOf<'pending' | 'complete' | 'failed'>(),
  state: oneOf<State>(),
  attempts: column.int,
  fault: nullable(column.text),
  next_at: nullable(column.time),
  request_id: column.text,
  created_at: column.time,
  finished_at: nullable(column.time),
  progress: column.json,
  error_code: nullable(column.text),
  result: column.json,
};
export const OPERATOR_JOB_COLUMNS = COLUMNS;
type OperatorJob = Row<typeof COLUMNS>;

/** SQL: these jobs, a table or a query in brackets, with the columns above. */
export const operatorJobs = (jobs: string): string => `
  (select id, operation, agent_id,
          (select username from agent where id = job.agent_id) as username, operator, status,
          ${STATE} as state, attempts, fault,
          case when status = 'pending' and run_at > now() and run_at < 'infinity' then run_at end
            as next_at,
          request_id, created_at, finished_at, progress,
          case when status = 'failed' then answer->>'error' end as error_code,
          case when status = 'complete' and agent_id = 0 then answer end as result,
          run_at
     from ${jobs} job) j`;

export const operatorViewOf = (job: OperatorJob): Static<typeof OperatorJobView> => ({
  job_id: job.id,
  operation: job.operation,
  agent_id: job.agent_id === 0 ? null : job.agent_id,
  username: job.username === null ? null : shownName(job.username),
  operator: job.operator,
  status: job.status,
  state: job.state,
  waits_for: waitsFor(job),
  attempts: job.attempts,
  fault: job.fault,
  next_attempt_at: job.next_at?.toISOString() ?? null,
  request_id: job.request_id,
  created_at: job.created_at.toISOString(),
  finished_at: job.finished_at?.toISOString() ?? null,
  ...(job.progress !== null && { progress: job.progress }),
  error_code: job.error_code,
  ...(job.result !== null && { result: job.result }),
});

function waitsFor({ state, next_at }: OperatorJob): string | null {
  const next = next_at ? `at ${next_at.toISOString()}` : 'soon';
  switch (state) {
    case 'complete':
    case 'failed':
      return null;
    case 'queued':
      return 'It is in its queue or with a worker. If it stays so, no worker takes that queue.';
    case 'scheduled':
      return `It is due ${next}.`;
    case 'failing':
      return `An attempt failed; the next is ${next}. It is given up after eight.`;
    case 'waiting':
      return 'It waits for jobs that it started; see progress.';
    case 'deferred':
      return 'It waits for the approval of an owner.';
    case 'held':
      return (
        'It was given up, although its outside request may have succeeded. Check that, then ' +
        'retry it.'
      );
  }
}

/** Any job, as operators see it. */
export async function findOperatorJob(db: Database, jobId: string): Promise<OperatorJob> {
  const [found] = isJobId(jobId)
    ? await rows(
        db,
        OPERATOR_JOB_COLUMNS,
        `select ${namesOf(OPERATOR_JOB_COLUMNS)} from ${operatorJobs('job')} where id = $1`,
        [jobId],
      )
    : [];
  if (found) return found;
  throw new Refusal('not_found', 'There is no such job. Finished jobs are deleted after 72 hours.');
}
