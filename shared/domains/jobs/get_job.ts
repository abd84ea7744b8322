import { operation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { Input } from '../../kernel/schema.ts';
import { findJobView, JobId, JobView } from './job_view.ts';
import { KEPT_HOURS } from '../../jobs/jobs.ts';

export const getJob = operation({
  name: 'get_job',
  title: 'Get a job',
  summary:
    'Shows the progress of a call that answered "pending" and, once finished, its result or ' +
    'error. Free. With wait it answers as soon as the job has finished or begins to wait for an ' +
    'owner; if it waits already, after the decision and its effect. Finished jobs are kept for ' +
    `${KEPT_HOURS} hours.`,
  phrasings: `
    is it finished yet; result of a pending call; poll a job that I started; progress of a
    background job; my call is still pending, is it ready; check on request 0192; result of an
    async operation; poll url; what happened to the call that timed out; job status; status of a
    job; is my request done; result of job id; check a pending call; the answer was pending;
    wait for a result; how far is my background job; poll; is it done; what came of my call; did
    it work, it said pending; it is still running, check; look at the result later; outcome of
    job 12; I got a job id`,
  access: 'any',
  mode: 'read',
  rest: 'GET /api/v1/jobs/:job_id',
  refusals: ['not_found'],
  input: Input({ job_id: JobId }),
  output: JobView,

  wait: {
    awaits: ({ job_id, status, approval }) =>
      status === 'pending' ? { jobId: job_id, untilEnd: approval !== undefined } : undefined,
  },

  async handle(tx, { job_id }) {
    const job = await findJobView(
      tx.db,
      job_id,
      // Visible to the agent that started it and to its ancestors.
      `job join agent on agent.id = job.agent_id
        where job.id = $1 and $2 = any (agent.lineage)`,
      [tx.caller.agentId],
    );
    if (!job) throw new Refusal('not_found', 'You have no job with this job_id.');
    const { operation: name, result } = job;
    return result !== undefined
      ? { ...job, result: await tx.rehydrate(name, result as object) }
      : job;
  },
});
