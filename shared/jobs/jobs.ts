import { V7Generator } from 'uuidv7';

import { column, execute, nullable, oneOf, rows, type Database } from '../platform/rows.ts';

/** What a job answers: its end, or why it is deferred, as it was first answered. */
export interface JobAnswer {
  readonly id: string;
  /** pending: the job is deferred, and this is the body of the 202. */
  readonly status: 'pending' | 'complete' | 'failed';
  readonly httpStatus: number;
  /** The body, byte for byte. */
  readonly answer: string;
  /** Of a refusal that time can cure: the key of its call is free again. */
  readonly freesKey?: boolean;
}

/** A call that is to become a job. */
export interface NewJob {
  readonly id: string;
  readonly operation: string;
  readonly agentId: number;
  readonly rootId: number;
  readonly input: object;
  /** Keyed hash of `fingerprintOf` the call as it was sent: what a repeat is compared with. */
  readonly hash: Buffer;
  readonly requestId: string;
  /** The caller's Idempotency-Key. */
  readonly key?: string | undefined;
  /**
   * What starts it, where no caller does: `<key of the call>/<cause>` or `<operation>:<period>`.
   */
  readonly cause?: string | undefined;
  /** Not before. Absent: at once. */
  readonly runAt?: Date | undefined;
  /** The name of the operator who calls. */
  readonly operator?: string | undefined;
  /** Its end is told by an event from then on. Absent: nobody called, or the caller is answered. */
  readonly tellAfter?: Date | undefined;
}

/** The job that a caller waits for. */
export interface AwaitedJob {
  readonly jobId: string;
  /** It is known to be deferred: only its end is news. */
  readonly untilEnd?: boolean | undefined;
}

/** A call that was recorded before, to be ended. */
export type RecordedCall = Pick<NewJob, 'id' | 'operation' | 'requestId'>;

/** A row, as far as it decides how a repeat of its call is answered. */
export interface JobRecord {
  readonly id: string;
  readonly hash: Buffer;
  readonly answer: JobAnswer | null;
}

/** How long a finished call is stored: its answer, its job and its Idempotency-Key. */
export const KEPT_HOURS = 72;

const ids = new V7Generator();

/** Ids are in the order of `now`; the dispatcher finds recent rows by them. */
export const newJobId = (now: Date) => ids.generateOrResetCore(now.getTime(), 10_000).toString();

/** No job id made at `time` or later is lower than this. */
export function lowestJobId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * Two calls with one key are one call only if these are equal. Stored hashed under PURPOSE. An id
 * is the same as text: where both are taken, REST gives a number and a tool call what it was sent.
 */
export const fingerprintOf = (operation: string, input: object): string =>
  JSON.stringify([operation, sorted(input)], (_, value: unknown) =>
    typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value,
  );
export const PURPOSE = 'job-input';

/**
 * Records calls. A row whose key or cause is taken is left out, because that call was recorded
 * before. Answers the ids that were inserted.
 */
export async function insertJobs(db: Database, jobs: readonly NewJob[]): Promise<Set<string>> {
  const inserted = await rows(
    db,
    { id: column.text },
    'select id from record_jobs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) as recorded(id)',
    [
      jobs.map(({ id }) => id),
      jobs.map(({ operation }) => operation),
      jobs.map(({ agentId }) => agentId),
      jobs.map(({ rootId }) => rootId),
      jobs.map(({ key }) => key ?? null),
      jobs.map(({ cause }) => cause ?? null),
      jobs.map(({ input }) => JSON.stringify(input)),
      jobs.map(({ hash }) => hash),
      jobs.map(({ requestId }) => requestId),
      jobs.map(({ runAt }) => runAt ?? null),
      jobs.map(({ operator }) => operator ?? null),
      jobs.map(({ tellAfter }) => tellAfter ?? null),
    ],
  );
  return new Set(inserted.map(({ id }) => id));
}

const ANSWER_COLUMNS = {
  id: column.text,
  status: oneOf<JobAnswer['status']>(),
  http_status: nullable(column.int),
  answer: nullable(column.text),
};
const ANSWER = `id, status, http_status, coalesce(answer, deferral)::text as answer`;

/** The call that a key of this agent's stands for. */
export async function findByKey(
  db: Database,
  { agentId, key }: { agentId: number; key: string },
): Promise<JobRecord | null> {
  const [row] = await rows(
    db,
    { ...ANSWER_COLUMNS, input_hash: column.bytes },
    `select ${ANSWER}, input_hash from job where agent_id = $1 and key = $2`,
    [agentId, key],
  );
  return row ? { id: row.id, hash: row.input_hash, answer: jobAnswerOf(row) } : null;
}

/** The answers of those of these jobs that have one. */
export async function findJobAnswers(
  db: Database,
  jobIds: readonly string[],
): Promise<JobAnswer[]> {
  const found = await rows(
    db,
    ANSWER_COLUMNS,
    `select ${ANSWER} from job where id = any ($1) and (status <> 'pending' or deferral is not null)`,
    [jobIds],
  );
  return found.flatMap((row) => jobAnswerOf(row) ?? []);
}

/**
 * Finishes jobs in the transaction that did their work: both commit, or neither does. A refusal
 * that does not bind its key makes the key free.
 */
export async function finishJobs(db: Database, answers: readonly JobAnswer[]): Promise<void> {
  await execute(
    db,
    `update job set status = a.status, http_status = a.http_status, answer = a.answer,
                    finished_at = now(), key = case when not a.frees_key then job.key end,
                    sealed_input = null
       from unnest($1::uuid[], $2::text[], $3::smallint[], $4::json[], $5::boolean[])
            as a(id, status, http_status, answer, frees_key)
      where job.id = a.id`,
    [
      answers.map(({ id }) => id),
      answers.map(({ status }) => status),
      answers.map(({ httpStatus }) => httpStatus),
      answers.map(({ answer }) => answer),
      answers.map(({ freesKey = false }) => freesKey),
    ],
  );
}

export const resultAnswer = (id: string, result: object): JobAnswer => ({
  id,
  status: 'complete',
  httpStatus: 200,
  answer: JSON.stringify(result),
});

export const deferralAnswer = (id: string, body: object): JobAnswer => ({
  id,
  status: 'pending',
  httpStatus: 202,
  answer: JSON.stringify(body),
});

interface AnswerRow {
  id: string;
  status: JobAnswer['status'];
  http_status: number | null;
  answer: string | null;
}

function jobAnswerOf({ id, status, http_status, answer }: AnswerRow): JobAnswer | null {
  return answer === null ? null : { id, status, httpStatus: http_status ?? 202, answer };
}

/** The same object however its fields were ordered. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
