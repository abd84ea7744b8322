import { setTimeout as sleep } from 'node:timers/promises';

import { dueAt } from '../shared/jobs/due_at.ts';
import type { Context } from '../shared/composition/context.ts';
import { isConnectionLost } from '../shared/platform/fault.ts';
import { scrub } from '../shared/platform/log.ts';
import { execute } from '../shared/platform/rows.ts';
import { countFault } from './job_counts.ts';

/** PostgreSQL is back after a crash, or another server has become the primary. */
const NOTE_ATTEMPTS_MAX = 10;
const NOTE_PAUSE_MS = 500;

/** 2 s, 4 s, 8 s … 5 min. */
export const backoffMs = (attempts: number) => Math.min(2_000 * 2 ** attempts, 300_000);

interface FailedAttempt {
  readonly id: string;
  readonly operation: string;
  /** Attempts counted so far, with this one. */
  readonly attempts: number;
}

/**
 * Notes a fault of a job that this worker no longer holds, so it need not wait as long as asking an
 * outside system may take. The fault may be PostgreSQL's own: then it is noted as soon as
 * PostgreSQL answers.
 */
export async function noteFault(
  context: Context,
  job: FailedAttempt,
  error: unknown,
): Promise<void> {
  const { id, operation, attempts } = job;
  countFault(operation);
  context.log.error(
    { err: error, job_id: id, operation },
    'an attempt of a job failed; there will be another',
  );
  const delayMs = backoffMs(Math.max(0, attempts - 1));
  for (let attempt = 1; ; attempt += 1) {
    try {
      return void (await execute(context.database, NOTE_FAULT, [
        id,
        scrub(String(error)),
        backoffMs(0),
        delayMs,
        attempts,
      ]));
    } catch (failure) {
      if (!isConnectionLost(failure) || attempt === NOTE_ATTEMPTS_MAX) throw failure;
    }
    await sleep(NOTE_PAUSE_MS);
  }
}

const NOTE_FAULT = `
  update job set fault = left($2, 500), push_after = now() + $3 * interval '1 ms',
         run_at = case when run_at is not null
                       then least(run_at, ${dueAt(`$4 * interval '1 ms'`)}) end
   where id = $1 and status = 'pending' and attempts = $5`;
