import { operation } from '../../../kernel/operation.ts';
import { Refusal } from '../../../kernel/refusal.ts';
import { Input, Text, Type } from '../../../kernel/schema.ts';
import { column, execute, rows } from '../../../platform/rows.ts';
import { DUE_NOW } from '../../../jobs/due_at.ts';
import { JobId } from '../job_view.ts';
import {
  findOperatorJob,
  OperatorJobView,
  operatorViewOf,
  type State,
} from './operator_job_view.ts';

export const retryJob = operation({
  name: 'retry_job',
  title: 'Retry a job',
  summary:
    'Operators: attempts a held or failing job now, with eight attempts again. For a held job, ' +
    'first check the outcome of its outside request.',
  access: 'operator',
  mode: 'write',
  rest: 'POST /api/v1/admin/jobs/:job_id/retry',
  bindings: { tool: false },
  effects: { actsOn: { kind: 'job', field: 'job_id' }, destructive: true },
  refusals: ['not_found', 'invalid_transition'],
  input: Input({
    job_id: JobId,
    note: Type.Optional(Text(1, 500, 'Reason, for the audit log.')),
  }),
  output: OperatorJobView,

  async handle({ db }, { job_id }) {
    const before = await findOperatorJob(db, job_id);
    // A worker locks the row during an attempt: a second attempt must not begin.
    const sql = 'select id from job where id = $1 for update skip locked';
    const [locked] = await rows(db, { id: column.text }, sql, [job_id]);
    const { state } = locked ? await findOperatorJob(db, job_id) : before;
    if (!locked) throw refusalOf('queued');
    if (state !== 'held' && state !== 'failing') throw refusalOf(state);
    await execute(
      db,
      `update job set run_at = ${DUE_NOW}, push_after = null, attempts = 0 where id = $1`,
      [job_id],
    );
    return operatorViewOf(await findOperatorJob(db, job_id));
  },
});

const WHY_NOT: Readonly<Record<Exclude<State, 'held' | 'failing'>, string>> = {
  queued: 'It is in its queue or with a worker.',
  scheduled: 'It has not failed; it is due later.',
  waiting: 'It waits for jobs that it started: retry those.',
  deferred: 'It waits for the approval of an owner.',
  complete: 'It is complete.',
  failed:
    'It has failed finally, and its caller may have called again. Only the caller can repeat it.',
};

const refusalOf = (state: keyof typeof WHY_NOT) =>
  new Refusal('invalid_transition', WHY_NOT[state], { state });
