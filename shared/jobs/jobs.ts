import { V7Generator } from 'uuidv7';
import type { DataSource, EntityManager } from 'typeorm';

import { bindsKey, type Refusal } from '../kernel/refusal.ts';

/** What a finished job answers, as it was first said. */
export interface JobAnswer {
  readonly id: string;
  readonly status: 'complete' | 'failed';
  readonly httpStatus: number;
  /** The body, byte for byte. */
  readonly answer: string;
}

/** A call that is to become a job. */
export interface NewJob {
  readonly id: string;
  readonly operation: string;
  readonly agentId: number;
  readonly input: object;
  /** Keyed hash of `fingerprintOf` the call as it was sent: what a repeat is compared with. */
  readonly hash: Buffer;
  readonly requestId: string;
  /** The caller's Idempotency-Key. */
  readonly key?: string | undefined;
  /** What starts it, where no caller does. */
  readonly cause?: string | undefined;
  /** Not before. Absent: at once. */
  readonly runAt?: Date | undefined;
}

/** A row, as far as it decides how a call is answered. */
export interface JobRecord {
  readonly id: string;
  readonly hash: Buffer;
  readonly answer: JobAnswer | null;
}

/** How long a finished call is remembered: its answer, its job and its Idempotency-Key. */
export const KEPT_HOURS = 72;

const ids = new V7Generator();

/** Ids are in the order of `now`; the dispatcher finds recent rows by them. */
export const newJobId = (now: Date) => ids.generateOrResetCore(now.getTime(), 10_000).toString();

/** No job id made at `time` or later is lower than this. */
export function lowestJobId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/** Two calls with one key are one call only if these are equal. Stored hashed under PURPOSE. */
export const fingerprintOf = (operation: string, input: object): string =>
  JSON.stringify([operation, sorted(input)]);
export const PURPOSE = 'job-input';

/** Rows whose key or cause is already taken are left out: somebody recorded that call before. */
export async function insertJobs(
  db: DataSource | EntityManager,
  jobs: readonly NewJob[],
): Promise<Set<string>> {
  const inserted: { id: string }[] = await db.query(
    'select id from record_jobs($1, $2, $3, $4, $5, $6, $7, $8, $9) as recorded(id)',
    [
      jobs.map(({ id }) => id),
      jobs.map(({ operation }) => operation),
      jobs.map(({ agentId }) => agentId),
      jobs.map(({ key }) => key ?? null),
      jobs.map(({ cause }) => cause ?? null),
      jobs.map(({ input }) => JSON.stringify(input)),
      jobs.map(({ hash }) => hash),
      jobs.map(({ requestId }) => requestId),
      jobs.map(({ runAt }) => runAt ?? null),
    ],
  );
  return new Set(inserted.map(({ id }) => id));
}

/** The call that a key of this agent's stands for. */
export async function findByKey(
  db: DataSource | EntityManager,
  { agentId, key }: { agentId: number; key: string },
): Promise<JobRecord | null> {
  const [row] = await db.query(
    `select id, input_hash, status, http_status, answer::text from job
      where agent_id = $1 and key = $2`,
    [agentId, key],
  );
  return row ? { id: row.id, hash: row.input_hash, answer: jobAnswerOf(row) } : null;
}

/** Those of these jobs that are finished. */
export async function findJobAnswers(
  db: DataSource,
  jobIds: readonly string[],
): Promise<JobAnswer[]> {
  const rows: AnswerRow[] = await db.query(
    `select id, status, http_status, answer::text from job
      where id = any ($1) and status <> 'pending'`,
    [jobIds],
  );
  return rows.flatMap((row) => jobAnswerOf(row) ?? []);
}

/**
 * Finishes jobs in the transaction that did their work: both commit, or neither does. A refusal
 * that does not bind its key gives the key free.
 */
export async function finishJobs(db: EntityManager, answers: readonly JobAnswer[]): Promise<void> {
  await db.query(
    `update job set status = a.status, http_status = a.http_status, answer = a.answer,
                    finished_at = now(), key = case when a.binds then job.key end
       from unnest($1::uuid[], $2::text[], $3::smallint[], $4::json[], $5::boolean[])
            as a(id, status, http_status, answer, binds)
      where job.id = a.id`,
    [
      answers.map(({ id }) => id),
      answers.map(({ status }) => status),
      answers.map(({ httpStatus }) => httpStatus),
      answers.map(({ answer }) => answer),
      answers.map(({ httpStatus }) => bindsKey(httpStatus)),
    ],
  );
}

export const resultAnswer = (id: string, result: object): JobAnswer => ({
  id,
  status: 'complete',
  httpStatus: 200,
  answer: JSON.stringify(result),
});

export const refusalAnswer = (id: string, refusal: Refusal, requestId: string): JobAnswer => ({
  id,
  status: 'failed',
  httpStatus: refusal.status,
  answer: refusal.body(requestId),
});

interface AnswerRow {
  id: string;
  status: 'pending' | 'complete' | 'failed';
  http_status: number;
  answer: string;
}

function jobAnswerOf({ id, status, http_status, answer }: AnswerRow): JobAnswer | null {
  return status === 'pending' ? null : { id, status, httpStatus: http_status, answer };
}

/** The same object however its fields were ordered. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
