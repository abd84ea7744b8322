import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Input } from '../kernel/schema.ts';
import { findJobView, JobId, JobView } from './job_view.ts';

export const operatorJob = operation({
  name: 'operator_job',
  title: "Get an operator's job",
  summary:
    'Operators: how a job that an operator or a timer started is getting on, and once it is ' +
    'finished its result or its error. Jobs of agents are theirs to read. Free.',
  access: 'operator',
  mode: 'read',
  domain: 'jobs',
  rest: 'GET /api/v1/admin/jobs/:job_id',
  tool: false,
  refusals: ['not_found'],
  input: Input({ job_id: JobId }),
  output: JobView,

  awaits: ({ job_id, status }) => (status === 'pending' ? job_id : undefined),

  async handle(tx, { job_id }) {
    const { agentId } = tx.caller;
    const job = await findJobView(tx.db, job_id, 'job where id = $1 and agent_id = $2', [agentId]);
    if (!job) throw new Refusal('not_found', 'No operator or timer started such a job.');
    return job;
  },
});
