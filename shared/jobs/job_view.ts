import { Nullable, OneOf, Output, Text, Time, Type } from '../kernel/schema.ts';

export const JobId = Text(36, 36, 'The job_id of the pending answer.');

/** A job as whoever started it sees it. */
export const JobView = Output({
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
});

export interface JobRow {
  readonly id: string;
  readonly operation: string;
  readonly status: 'pending' | 'complete' | 'failed';
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly progress: unknown;
  readonly answer: unknown;
  readonly http_status: number;
}

export const jobViewOf = (row: JobRow) => ({
  job_id: row.id,
  operation: row.operation,
  status: row.status,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  ...(row.progress !== null && { progress: row.progress }),
  ...(row.status === 'complete' && { result: row.answer }),
  ...(row.status === 'failed' && { error: row.answer, http_status: row.http_status }),
});

export const isJobId = (text: string): boolean =>
  /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
