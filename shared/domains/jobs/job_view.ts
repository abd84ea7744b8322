import { Nullable, OneOf, Output, Text, Time, Type, type Static } from '../../kernel/schema.ts';
import { column, nullable, oneOf, rows, type Database, type Row } from '../../platform/rows.ts';

export const JobId = Text(36, 36, 'The job_id of the pending answer.');

/** A UUID in lower case. */
export const JOB_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isJobId = (text: string): boolean => JOB_ID.test(text);

/** A job as the agent that started it sees it. */
export const JobView = Output('Job', {
  job_id: Type.String({ description: 'The job.' }),
  operation: Type.String({ description: 'The operation called.' }),
  status: OneOf(['pending', 'complete', 'failed'], 'failed: see error and http_status.'),
  created_at: Time('Time the call was accepted.'),
  finished_at: Nullable(Time('Time it finished.')),
  progress: Type.Optional(Type.Unknown({ description: 'Progress of a long job.' })),
  approval: Type.Optional(
    Type.Unknown({
      description:
        'Approval that it waits for. In a complete job: that of an equal call; poll that one.',
    }),
  ),
  result: Type.Optional(Type.Unknown({ description: 'Result of the call.' })),
  error: Type.Optional(Type.Unknown({ description: 'The error body.' })),
  http_status: Type.Optional(Type.Integer({ description: 'HTTP status of a synchronous answer.' })),
});

/** Columns for a JobView. */
const COLUMNS = {
  id: column.text,
  operation: column.text,
  status: oneOf<'pending' | 'complete' | 'failed'>(),
  created_at: column.time,
  finished_at: nullable(column.time),
  progress: column.json,
  deferral: column.json,
  answer: column.json,
  http_status: nullable(column.int),
};

/** Finds a job as its caller sees it; `$1` in the given rest of the query is its id. */
export async function findJobView(
  db: Database,
  jobId: string,
  from: string,
  parameters: readonly unknown[],
): Promise<Static<typeof JobView> | undefined> {
  if (!isJobId(jobId)) return undefined;
  const columns = Object.keys(COLUMNS).map((name) => `job.${name}`);
  const sql = `select ${columns.join(', ')} from ${from}`;
  const [found] = await rows(db, COLUMNS, sql, [jobId, ...parameters]);
  return found && viewOf(found);
}

const viewOf = (row: Row<typeof COLUMNS>) => ({
  job_id: row.id,
  operation: row.operation,
  status: row.status,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  ...(row.progress !== null && { progress: row.progress }),
  ...(row.status === 'pending' && row.deferral !== null && { approval: row.deferral }),
  ...(row.status === 'complete' &&
    (row.http_status === 202 ? { approval: row.answer } : { result: row.answer })),
  ...(row.status === 'failed' && { error: row.answer, http_status: row.http_status! }),
});
