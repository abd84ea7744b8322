import { operation } from '../../kernel/operation.ts';
import { Input } from '../../kernel/schema.ts';
import { JobId } from '../job_view.ts';
import { findOperatorJob, OperatorJobView, operatorViewOf } from './operator_job_view.ts';

export const operatorJob = operation({
  name: 'operator_job',
  title: 'Explain a job',
  summary:
    'Operators: what any job waits for, what went wrong and how often it was attempted; of ' +
    "operators' and timers' jobs the result too. What agents sent and were answered is theirs.",
  access: 'operator',
  mode: 'read',
  domain: 'jobs',
  rest: 'GET /api/v1/admin/jobs/:job_id',
  tool: false,
  refusals: ['not_found'],
  input: Input({ job_id: JobId }),
  output: OperatorJobView,

  awaits: ({ job_id, status, state }) =>
    status === 'pending' && state !== 'held' && state !== 'deferred'
      ? { jobId: job_id }
      : undefined,

  handle: async (tx, { job_id }) => operatorViewOf(await findOperatorJob(tx.db, job_id)),
});
