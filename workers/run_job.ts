import { dueAt } from '../shared/jobs/due_at.ts';
import { deferJob, holdJob } from '../shared/jobs/deferred.ts';
import { finishJobs, resultAnswer } from '../shared/jobs/jobs.ts';
import type { JobAnswer } from '../shared/kernel/terms/job_answer.ts';
import type { Context } from '../shared/composition/context.ts';
import type { AnyOperation } from '../shared/kernel/operation.ts';
import { GATHER_MS, perform, RetryLater } from '../shared/performing/perform.ts';
import { countRefusal } from '../shared/composition/invoke/count_refusal.ts';
import { refusalAnswer } from '../shared/composition/error_body.ts';
import { Refusal, refusalOf } from '../shared/kernel/refusal.ts';
import { inTransaction } from '../shared/performing/transaction.ts';
import { isLogged, logOperation } from '../shared/performing/audit_log.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';
import { column, namesOf, rows, type Database } from '../shared/platform/rows.ts';
import { countGivenUp } from './job_counts.ts';
import { callOf, FOUND, jobOf, operationOf, recordedInput, type JobRow } from './job_row.ts';
import { failActiveSpan, inJobSpan } from './telemetry/job_spans.ts';
import { backoffMs, noteFault } from './note_fault.ts';
import { putOffBegun } from './retry_later.ts';

/** Attempts that a worker began after the first; a job that needs more is given up. */
const ATTEMPTS_MAX = 8;
/** Time for an aborted gatherer to end before another worker may begin. */
const ABORT_MS = 1_000;

/**
 * Performs one recorded job, exactly once in effect however often it is delivered: the row is
 * locked before the work and finished in the work's own transaction. A redelivery finds it
 * finished, or held by another worker, or knows that nothing has happened yet.
 *
 * Returns null if there was nothing to do, or if the job needs another attempt later.
 */
export async function runJob(
  context: Context,
  id: string,
  attempts?: number,
): Promise<JobAnswer | null> {
  const job = await beginAttempt(context, id, attempts);
  if (!job) return null;
  const op = operationOf(job);
  crashPoint('W0', [id]);
  return inJobSpan(op, job, () => attempt(context, op, job));
}

async function attempt(context: Context, op: AnyOperation, job: JobRow): Promise<JobAnswer | null> {
  const { id } = job;
  try {
    const answer = await performJob(context, op, job);
    context.schemaFit.noteSuccess(op.name);
    return answer;
  } catch (error) {
    context.schemaFit.noteError(op.name, error);
    if (error instanceof RetryLater) {
      await putOffBegun(context, job, error.ms);
      return null;
    }
    if (!(error instanceof Refusal)) {
      failActiveSpan(error);
      await noteFault(context, job, error);
      return null;
    }
    // The refusal is a result, committed as one; the transaction of the work was rolled back.
    return inTransaction(context, callOf(context, job), async (tx) => {
      if (!(await lockJob(tx.db, id))) return null;
      const answer = refusalAnswer(id, error, job.requestId, op.name);
      await op.ends?.onRefuse?.(tx, { id, code: error.code });
      await finishJobs(tx.db, [answer]);
      countRefusal(error.code);
      return answer;
    });
  }
}

async function performJob(
  context: Context,
  op: AnyOperation,
  job: JobRow,
): Promise<JobAnswer | null> {
  const { id } = job;
  let answer: JobAnswer | null = null;
  await perform(context, op, recordedInput(op, job), callOf(context, job), {
    async begin(db) {
      answer = null; // A repeated transaction may find the job finished by another.
      const isOurs = await lockJob(db, id);
      crashPoint('W1', [id]);
      return isOurs;
    },
    async finish(db, result) {
      crashPoint('W3', [id]);
      // The result of a deferred write: its secrets are not stored.
      answer = resultAnswer(id, op.stored?.redact?.(result) ?? result);
      await finishJobs(db, [answer]);
      crashPoint('W4', [id]);
    },
    async refuse(db, refusal) {
      answer = refusalAnswer(id, refusal, job.requestId, op.name);
      await finishJobs(db, [answer]);
      countRefusal(refusal.code);
    },
    async defer(db, deferral) {
      answer = await deferJob(db, id, deferral);
    },
  });
  if (answer) crashPoint('W5', [id]);
  return answer;
}

/** False: another worker holds it or has deferred it, or it is no longer pending. */
async function lockJob(db: Database, id: string): Promise<boolean> {
  const sql = `select id from job where id = $1 and status = 'pending' and deferral is null
                  for update skip locked`;
  return (await rows(db, { id: column.text }, sql, [id])).length === 1;
}

/**
 * Reads the row. An attempt that may not be the first is counted in a transaction of its own before
 * the work, so that a job which kills its worker is counted too; a row that another worker holds is
 * left alone. A job that asks outside systems keeps other workers away for as long as that may
 * take.
 *
 * The dispatcher may push a job again while it still waits in the queue. Each push names the
 * attempts that its row had counted, so only one of these pushes becomes an attempt. Otherwise a
 * passing fault would use up all attempts at once.
 */
async function beginAttempt(
  context: Context,
  id: string,
  attempts?: number,
): Promise<JobRow | null> {
  const [found] = await rows(
    context.database,
    FOUND,
    `select ${namesOf(FOUND)} from job
      where id = $1 and status = 'pending' and deferral is null`,
    [id],
  );
  if (!found) return null;
  const job = jobOf(context, found);
  const op = operationOf(job);
  // Pushed by its API and by the dispatcher: only one of the two asks the outside system.
  if ((attempts ?? (op.gather ? 0 : found.attempts)) !== found.attempts) return null;
  if (attempts !== undefined && attempts >= ATTEMPTS_MAX - 1) {
    await giveUp(context, op, job);
    return null;
  }
  if (attempts === undefined && !op.gather) return job;
  const pauseMs = op.gather ? (op.gatherMs ?? GATHER_MS) + ABORT_MS : backoffMs(found.attempts);
  const [begun] = await rows(
    context.database,
    { attempts: column.int },
    // This worker holds a job that asks an outside system, whatever becomes of Redis; it is not
    // pushed meanwhile, as the dispatcher sees by push_after (forgetPushes).
    `update job set attempts = attempts + case when $2 or run_at is not null then 1 else 0 end,
                    push_after = case when run_at is null or not $5
                                      then now() + $3 * interval '1 ms' end,
                    run_at = case when run_at is not null
                                  then ${dueAt(`$3 * interval '1 ms'`)} end
      where id = (select id from job where id = $1 and status = 'pending' and attempts = $4
                     for update skip locked)
      returning attempts`,
    [id, attempts !== undefined, pauseMs, found.attempts, op.gather !== undefined],
  );
  return begun ? { ...job, attempts: begun.attempts } : null;
}

/**
 * Gives a job up after too many attempts. The operation decides its outcome: by default the caller
 * gets internal_error and may use the key again.
 */
async function giveUp(context: Context, op: AnyOperation, job: JobRow): Promise<void> {
  const { id, operation, requestId } = job;
  const end = await inTransaction(context, callOf(context, job), async (tx) => {
    if (!(await lockJob(tx.db, id))) return undefined;
    const verdict = (await op.ends?.onGiveUp?.(tx, job.input)) ?? 'fail';
    if (verdict === 'hold') await holdJob(tx.db, id);
    else {
      const refusal = refusalOf(undefined);
      if (isLogged(op, tx)) await logOperation(tx, op, job.input, refusal.code);
      await op.ends?.onRefuse?.(tx, { id, code: refusal.code });
      await finishJobs(tx.db, [refusalAnswer(id, refusal, requestId, op.name)]);
    }
    return verdict;
  });
  if (!end) return;
  countGivenUp(operation);
  const what =
    end === 'hold'
      ? 'it stays pending, and an operator must find out what became of it'
      : 'its caller was refused';
  context.log.error(
    { job_id: id, operation },
    `a job was given up after ${ATTEMPTS_MAX} attempts: ${what}; its row in "job" holds the fault`,
  );
}
