import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Input } from '../kernel/schema.ts';
import { findJobView, JobId, JobView } from './job_view.ts';
import { KEPT_HOURS } from './jobs.ts';

export const getJob = operation({
  name: 'get_job',
  title: 'Get a job',
  summary:
    'Reads how a call that answered "pending" is getting on and, once it is finished, its result ' +
    'or its error. Free. Give wait to have it answer as soon as the job is finished, or turns out ' +
    'to wait for an owner; of one that does, as soon as that was decided and done. A finished job ' +
    `is remembered for ${KEPT_HOURS} hours.`,
  access: 'any',
  mode: 'read',
  domain: 'jobs',
  rest: 'GET /api/v1/jobs/:job_id',
  refusals: ['not_found'],
  input: Input({ job_id: JobId }),
  output: JobView,

  awaits: ({ job_id, status, approval }) =>
    status === 'pending' ? { jobId: job_id, untilEnd: approval !== undefined } : undefined,

  async handle(tx, { job_id }) {
    const job = await findJobView(
      tx.db,
      job_id,
      // Visible to the agent that started it and to its ancestors.
      `job join agent on agent.id = job.agent_id
        where job.id = $1 and $2 = any (agent.lineage)`,
      [tx.caller.agentId],
    );
    if (!job) throw new Refusal('not_found', 'There is no such job among yours.');
    const { operation: name, result } = job;
    return result !== undefined
      ? { ...job, result: await tx.rehydrate(name, result as object) }
      : job;
  },
});
