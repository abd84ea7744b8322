import { operation } from '../operation.ts';
import { Refusal } from '../refusal.ts';
import { Input, Nullable, OneOf, Output, Text, Time, Type } from '../schema.ts';

export const getJob = operation({
  name: 'get_job',
  title: 'Get a job',
  summary:
    'Reads how a call that answered "pending" is getting on and, once it is finished, its result ' +
    'or its error. Free. Give wait to have it answer as soon as the job is finished.',
  access: 'any',
  mode: 'read',
  queue: 'jobs',
  rest: 'GET /api/v1/jobs/:job_id',
  input: Input({
    job_id: Text(36, 36, 'The job_id of the pending answer.'),
  }),
  output: Output({
    job_id: Type.String({ description: 'The job.' }),
    operation: Type.String({ description: 'What was called.' }),
    status: OneOf(['pending', 'complete', 'failed'], 'failed: error and http_status say why.'),
    created_at: Time('When the call was accepted.'),
    finished_at: Nullable(Time('When it was finished.')),
    progress: Type.Optional(Type.Unknown({ description: 'How far a long job has come.' })),
    result: Type.Optional(Type.Unknown({ description: 'What the call would have answered.' })),
    error: Type.Optional(Type.Unknown({ description: 'The error body.' })),
    http_status: Type.Optional(
      Type.Integer({ description: 'The status that a synchronous answer would have had.' }),
    ),
  }),

  awaits: ({ job_id, status }) => (status === 'pending' ? job_id : undefined),

  async handle(tx, { job_id }) {
    const [row] = UUID.test(job_id)
      ? await tx.db.query(
          // Visible to the agent that started it and to its ancestors.
          `select job.* from job join agent on agent.id = job.agent_id
            where job.id = $1 and $2 = any (agent.lineage)`,
          [job_id, tx.caller.agentId],
        )
      : [];
    if (!row) throw new Refusal('not_found', 'There is no such job among yours.');
    return {
      job_id,
      operation: row.operation as string,
      status: row.status as 'pending' | 'complete' | 'failed',
      created_at: row.created_at.toISOString() as string,
      finished_at: (row.finished_at?.toISOString() ?? null) as string | null,
      ...(row.progress && { progress: row.progress }),
      ...(row.status === 'complete' && { result: row.answer }),
      ...(row.status === 'failed' && { error: row.answer, http_status: row.http_status as number }),
    };
  },
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
