import type { JobAnswer } from '../kernel/terms/job_answer.ts';
import { V7Generator } from 'uuidv7';

import { column, execute, nullable, oneOf, rows, type Database } from '../platform/rows.ts';

/** A call that is to become a job. */
export interface NewJob {
  readonly id: string;
  readonly operation: string;
  readonly agentId: number;
  readonly rootId: number;
  readonly input: object;
  /** Keyed hash of `fingerprintOf` the call as sent, with which a repeat is compared. */
  readonly hash: Buffer;
  readonly requestId: string;
  /** The caller's Idempotency-Key. */
  readonly key?: string | undefined;
  /**
   * Cause of a job without a caller: `<key of the call>/<cause>` or `<operation>:<period>`.
   */
  readonly cause?: string | undefined;
  /** Earliest start. Absent: at once. */
  readonly runAt?: Date | undefined;
  /** Name of the operator that calls. */
  readonly operator?: string | undefined;
  /** Time from which its end emits an event. Absent: no caller, or the caller is answered. */
  readonly tellAfter?: Date | undefined;
  /** The span that its own are children of (`rowOfTrace`). Absent: it is not traced. */
  readonly trace?: Buffer | undefined;
}

/** The part of a row that decides the answer to a repeat of its call. */
export interface JobRecord {
  readonly id: string;
  readonly hash: Buffer;
  readonly answer: JobAnswer | null;
}

/** Hours that a finished call is kept: its answer, its job and its Idempotency-Key. */
export const KEPT_HOURS = 72;

const ids = new V7Generator();

/** A new id. Ids rise with `now`, so that the dispatcher finds recent rows by them. */
export const newJobId = (now: Date) => ids.generateOrResetCore(now.getTime(), 10_000).toString();

/** No job id made at `time` or later is lower than this. */
export function lowestJobId(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}

/**
 * The fingerprint of a call; two calls with one key are the same call only if it is equal. Stored
 * hashed under PURPOSE. An id as a number equals the id as text: where both are accepted, REST
 * gives a number, and a tool call the value it was sent.
 */
export const fingerprintOf = (operation: string, input: object): string =>
  JSON.stringify([operation, sorted(input)], (_, value: unknown) =>
    typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value,
  );
export const PURPOSE = 'job-input';

/**
 * Records calls. A call whose key or cause exists is left out, because it was recorded before.
 * Returns the ids that were inserted.
 */
export async function insertJobs(db: Database, jobs: readonly NewJob[]): Promise<Set<string>> {
  const isTraced = jobs.some(({ trace }) => trace);
  const inserted = await rows(db, { id: column.text }, isTraced ? RECORD_TRACED : RECORD, [
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
    ...(isTraced ? [jobs.map(({ trace }) => trace ?? null)] : []),
  ]);
  return new Set(inserted.map(({ id }) => id));
}

const FIELDS = '$1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12';
const RECORD = `select id from record_jobs(${FIELDS}) as recorded(id)`;
const RECORD_TRACED = `select id from record_traced_jobs(${FIELDS}, $13) as recorded(id)`;

/** Deletes jobs that this transaction has recorded: their calls are handled in another one. */
export async function withdrawJobs(db: Database, jobIds: readonly string[]): Promise<void> {
  if (jobIds.length > 0) await execute(db, 'delete from job where id = any ($1)', [jobIds]);
}

const ANSWER_COLUMNS = {
  id: column.text,
  status: oneOf<JobAnswer['status']>(),
  http_status: nullable(column.int),
  answer: nullable(column.text),
};
const ANSWER = `id, status, http_status, coalesce(answer, deferral)::text as answer`;

/** The recorded call with this key of the agent. */
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

/** The answers of the jobs among these that have one. */
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
 * Finishes jobs in the transaction that did their work, so that both commit or neither. A refusal
 * that does not bind its key frees the key. A write is recorded in that transaction too, so it ends
 * by the clock: `now()` would be the time at which the transaction began.
 */
export async function finishJobs(db: Database, answers: readonly JobAnswer[]): Promise<void> {
  const columns = [
    answers.map(({ id }) => id),
    answers.map(({ status }) => status),
    answers.map(({ httpStatus }) => httpStatus),
    answers.map(({ answer }) => answer),
    answers.map(({ freesKey = false }) => freesKey),
  ];
  if (answers.length === 1) await execute(db, FINISH_ONE, columns.flat());
  else await execute(db, FINISH_MANY, columns);
}

const finished = (answers: string) => `
  update job set status = a.status, http_status = a.http_status, answer = a.answer,
                 finished_at = clock_timestamp(),
                 key = case when not a.frees_key then job.key end,
                 sealed_input = null
    from ${answers} as a(id, status, http_status, answer, frees_key)
   where job.id = a.id`;
const FINISH_MANY = finished(
  'unnest($1::uuid[], $2::text[], $3::smallint[], $4::json[], $5::boolean[])',
);
/** An answer may have 100 kB, and an array escapes each quotation mark of it: 2.7 ms of CPU. */
const FINISH_ONE = finished('(values ($1::uuid, $2::text, $3::smallint, $4::json, $5::boolean))');

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

/** The value with the fields of objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
