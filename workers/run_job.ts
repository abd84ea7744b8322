import type { EntityManager } from 'typeorm';

import type { Caller } from '../shared/agents/caller.ts';
import { catalog } from '../shared/kernel/catalog.ts';
import { transact } from '../shared/platform/database.ts';
import {
  findJobAnswers,
  finishJobs,
  refusalAnswer,
  resultAnswer,
  type JobAnswer,
} from '../shared/jobs/jobs.ts';
import type { AnyOperation, Call } from '../shared/kernel/operation.ts';
import { perform } from '../shared/kernel/perform.ts';
import { Refusal, refusalOf } from '../shared/kernel/refusal.ts';
import type { Context } from '../shared/kernel/context.ts';
import { crashPoint } from '../shared/platform/crash_point.ts';

/** Tries that a worker began after the first; a job that outlives them all is a fault of ours. */
const ATTEMPTS_MAX = 8;
const GATHER_MS = 30_000;

interface Row {
  readonly id: string;
  readonly operation: string;
  readonly caller: Caller;
  readonly input: object;
  readonly requestId: string;
}

/**
 * Performs one recorded job, exactly once in effect however often it is delivered: the row is
 * locked before the work and finished in the work's own transaction. A redelivery finds it
 * finished, or held by somebody else, or knows that nothing has happened yet.
 *
 * Returns null when there was nothing to do or when the job must be tried again later.
 */
export async function runJob(
  context: Context,
  id: string,
  again?: number,
): Promise<JobAnswer | null> {
  const row = await beginTry(context, id, again);
  if (!row) return null;
  const op = operationOf(row);
  crashPoint('W0', [id]);
  try {
    return await performed(context, op, row);
  } catch (error) {
    if (!(error instanceof Refusal)) {
      await noteFault(context, row, error);
      return null;
    }
    // The refusal is a result, committed as one; the transaction of the work is gone.
    return transact(context.database, async (db) => {
      if (!(await lock(db, id))) return null;
      const answer = refusalAnswer(id, error, row.requestId);
      await finishJobs(db, [answer]);
      return answer;
    });
  }
}

async function performed(context: Context, op: AnyOperation, row: Row): Promise<JobAnswer | null> {
  const { id, caller, requestId } = row;
  const call: Call = { caller, key: id, now: context.clock.now(), requestId };
  let answer: JobAnswer | null = null;
  await perform(context, op, row.input, call, {
    async begin(db) {
      answer = null; // A transaction that is run again may find the job finished by another.
      const mine = await lock(db, id);
      crashPoint('W1', [id]);
      return mine;
    },
    async finish(db, result) {
      crashPoint('W3', [id]);
      answer = resultAnswer(id, result);
      await finishJobs(db, [answer]);
      crashPoint('W4', [id]);
    },
  });
  if (answer) crashPoint('W5', [id]);
  return answer;
}

/** Nobody else may have it in hand, and it must still be pending. */
async function lock(db: EntityManager, id: string): Promise<boolean> {
  const rows = await db.query(
    `select from job where id = $1 and status = 'pending' for update skip locked`,
    [id],
  );
  return rows.length === 1;
}

/**
 * Reads the row. A try that may not be the first is counted in a transaction of its own before the
 * work, so that a job which kills its worker is counted too; a row that somebody holds is not being
 * tried by us. One that asks the outside keeps others away for as long as that may take.
 *
 * The dispatcher pushes a job anew while it still waits in the queue, and names the tries it had
 * had: of all that lie there, one is a try, or a fault that passes would use them all up at once.
 */
async function beginTry(context: Context, id: string, again?: number): Promise<Row | null> {
  const [found] = await context.database.query(
    `select job.id, operation, agent_id, input, request_id, attempts, root_id
       from job left join agent on agent.id = job.agent_id
      where job.id = $1 and job.status = 'pending'`,
    [id],
  );
  if (!found) return null;
  const row = rowOf(found);
  const op = operationOf(row);
  // Handed on by its API and pushed by the dispatcher too: of the two, one asks the outside.
  if ((again ?? (op.gather ? 0 : found.attempts)) !== found.attempts) return null;
  if (again !== undefined && again >= ATTEMPTS_MAX - 1) {
    await giveUp(context, row);
    return null;
  }
  if (again === undefined && !op.gather) return row;
  const pauseMs = op.gather ? (op.gatherMs ?? GATHER_MS) : backoffMs(found.attempts);
  const [, counted] = await context.database.query(
    // One that asks the outside is in our hands, whatever becomes of Redis, and not pushed: the
    // dispatcher tells that by push_after (forgetPushes).
    `update job set attempts = attempts + case when $2 or run_at is not null then 1 else 0 end,
                    push_after = case when run_at is null or not $5
                                      then now() + $3 * interval '1 ms' end,
                    run_at = case when run_at is not null then now() + $3 * interval '1 ms' end
      where id = (select id from job where id = $1 and status = 'pending' and attempts = $4
                     for update skip locked)`,
    [id, again !== undefined, pauseMs, found.attempts, op.gather !== undefined],
  );
  return counted === 1 ? row : null;
}

/** 2 s, 4 s, 8 s … 5 min. */
export const backoffMs = (attempts: number) => Math.min(2_000 * 2 ** attempts, 300_000);

async function noteFault(context: Context, row: Row, error: unknown): Promise<void> {
  const { id, operation } = row;
  context.log.error({ err: error, job_id: id, operation }, 'a job failed and will be tried again');
  await context.database.query(
    `update job set fault = left($2, 500), push_after = now() + $3 * interval '1 ms'
      where id = $1 and status = 'pending'`,
    [id, String(error), backoffMs(0)],
  );
}

/** After too many tries the caller hears internal_error and may use the key again. */
async function giveUp(context: Context, { id, operation, requestId }: Row): Promise<void> {
  const answer = refusalAnswer(id, refusalOf(undefined), requestId);
  const gaveUp = await transact(context.database, async (db) => {
    if (!(await lock(db, id))) return false;
    await finishJobs(db, [answer]);
    return true;
  });
  if (!gaveUp) return;
  context.log.error(
    { job_id: id, operation },
    `a job was given up after ${ATTEMPTS_MAX} tries; its row in "job" holds the fault`,
  );
}

/** What a finished job answered, for those who wait for a batch that brought nothing. */
export const answersOf = (context: Context, ids: readonly string[]) =>
  findJobAnswers(context.database, ids);

export function operationOf({ id, operation }: { id: string; operation: string }): AnyOperation {
  const op = catalog.get(operation);
  if (!op) throw new Error(`this worker does not know ${operation}, which job ${id} asks for`);
  return op;
}

interface Found {
  id: string;
  operation: string;
  agent_id: number;
  root_id: number | null;
  input: object;
  request_id: string;
}

export function rowOf(found: Found): Row {
  const { id, operation, input } = found;
  const caller = {
    agentId: found.agent_id,
    rootId: found.root_id ?? 0,
    keyId: 0,
    scopes: [], // What the key allowed was checked when the call was accepted.
  };
  return { id, operation, caller, input, requestId: found.request_id };
}
