import type { Caller } from '../../kernel/caller.ts';
import type { DeferralBody } from '../../jobs/deferral.ts';
import type { JobAnswer } from '../../kernel/terms/job_answer.ts';
import type { Answer } from '../../kernel/call.ts';
import type { Context } from '../context.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { Outcome } from '../../performing/perform.ts';

export const answerOfWrite = ({ status, body }: Outcome): Answer =>
  recordedAnswer(status, JSON.stringify(body));

/** 202: the call was deferred, or joined a deferred call; the body says where to poll. */
const recordedAnswer = (status: number, body: string): Answer =>
  status === 202
    ? { status, body, poll: (JSON.parse(body) as DeferralBody).poll }
    : { status, body };

export function answerOf(id: string, given: JobAnswer | null, op?: AnyOperation): Answer {
  if (given) return { jobId: id, ...recordedAnswer(given.httpStatus, given.answer) };
  const poll = pathOf(id, op);
  const body = JSON.stringify({ status: 'pending', job_id: id, poll });
  return { status: 202, body, jobId: id, poll };
}

/** Adds a hint to the answer of a call without a key that may be an accidental repeat. */
export async function hinted(
  { database, log }: Pick<Context, 'database' | 'log'>,
  op: AnyOperation,
  { caller, key }: { readonly caller: Caller; readonly key?: string | undefined },
  answer: Promise<JobAnswer | null>,
): Promise<JobAnswer | null> {
  const given = await answer;
  const repeatHint = op.stored?.repeatHint;
  if (key !== undefined || !repeatHint || given?.httpStatus !== 200) return given;
  const result = JSON.parse(given.answer) as object;
  try {
    const hint = await repeatHint(database, caller, result);
    return hint ? { ...given, answer: JSON.stringify({ ...result, ...hint }) } : given;
  } catch (error) {
    // The call is done, so a failed lookup must not lose its answer.
    log.warn({ err: error, operation: op.name }, 'an equal call could not be looked for');
    return given;
  }
}

const pathOf = (jobId: string, op?: AnyOperation): string =>
  `/api/v1/${op?.access === 'operator' ? 'admin/' : ''}jobs/${jobId}`;
