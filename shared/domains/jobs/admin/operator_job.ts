import { operation } from '../../../kernel/operation.ts';
import { Input } from '../../../kernel/schema.ts';
import { JobId } from '../job_view.ts';
import { findOperatorJob, OperatorJobView, operatorViewOf } from './operator_job_view.ts';

export const operatorJob = operation({
  name: 'operator_job',
  title: 'Explain a job',
  summary:
    'Operators: shows what any job waits for, its last fault and its attempts, and the result of ' +
    "operators' and timers' jobs. Inputs and results of agents' jobs stay private.",
  access: 'operator',
  mode: 'read',
  rest: 'GET /api/v1/admin/jobs/:job_id',
  bindings: { tool: false },
  refusals: ['not_found'],
  input: Input({ job_id: JobId }),
  output: OperatorJobView,

  wait: {
    awaits: ({ job_id, status, state }) =>
      status === 'pending' && state !== 'held' && state !== 'deferred'
        ? { jobId: job_id }
        : undefined,
  },

  handle: async (tx, { job_id }) => operatorViewOf(await findOperatorJob(tx.db, job_id)),
});
