import type { SealedColumn, Secrets } from '../platform/secrets.ts';
import { DUE_NOW } from './due_at.ts';
import { deferralAnswer, finishJobs, type NewJob } from './jobs.ts';
import type { JobAnswer } from '../kernel/terms/job_answer.ts';
import { column, execute, rows, type Database } from '../platform/rows.ts';

/**
 * A deferred job waits for a decision and not for a worker: it is pending and never due.
 * See `Deferral` in deferral.ts.
 */
const NEVER = `run_at = 'infinity', push_after = 'infinity'`;

/** Defers a recorded job in its own transaction. A job that repeats another ends with its body. */
export async function deferJob(
  db: Database,
  id: string,
  { body, isRepeat }: { readonly body: object; readonly isRepeat: boolean },
): Promise<JobAnswer> {
  const answer = deferralAnswer(id, body);
  if (isRepeat) {
    const end: JobAnswer = { ...answer, status: 'complete' };
    await finishJobs(db, [end]);
    return end;
  }
  await execute(
    db,
    `update job set ${NEVER}, deferral = $2, tell_after = now()
      where id = $1 and status = 'pending'`,
    [id, answer.answer],
  );
  return answer;
}

/** Defers a recorded write, and stores its input, sealed because it may hold secrets. */
export async function deferWrite(
  db: Database,
  secrets: Secrets,
  { id, agentId, input }: Pick<NewJob, 'id' | 'agentId' | 'input'>,
  deferral: { readonly body: object; readonly isRepeat: boolean },
): Promise<void> {
  const sealed = secrets.seal(JSON.stringify(input), locationOf(id, agentId));
  await execute(db, 'update job set sealed_input = $2 where id = $1', [id, sealed]);
  await deferJob(db, id, deferral);
}

export const openInput = (
  secrets: Secrets,
  { id, agentId, sealed }: { id: string; agentId: number; sealed: Buffer },
): object => JSON.parse(secrets.open(sealed, locationOf(id, agentId))) as object;

/**
 * Makes a deferred job due. Resolves with the name of its operation; undefined: the job is not
 * deferred.
 */
export async function resumeDeferredJob(db: Database, id: string): Promise<string | undefined> {
  const [resumed] = await rows(
    db,
    { operation: column.text },
    `update job set run_at = ${DUE_NOW}, push_after = null, attempts = 0, deferral = null
      where id = $1 and status = 'pending' and deferral is not null
      returning operation`,
    [id],
  );
  return resumed?.operation;
}

/** Keeps a job that was given up pending, for an operator. No worker takes it. */
export async function holdJob(db: Database, id: string): Promise<void> {
  await execute(db, `update job set ${NEVER} where id = $1 and status = 'pending'`, [id]);
}

const locationOf = (id: string, owner: number) => ({
  table: 'job',
  column: 'sealed_input',
  row: id,
  owner,
});

export const SEALED_INPUTS: SealedColumn = {
  table: 'job',
  column: 'sealed_input',
  row: 's.id::text',
  owner: 's.agent_id',
};
