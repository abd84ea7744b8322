import type { DeferralBody } from '../jobs/deferral.ts';
import type { JobAnswer } from '../jobs/jobs.ts';
import type { Answer } from '../kernel/call.ts';
import type { AnyOperation } from '../kernel/operation.ts';
import type { Outcome } from '../kernel/perform.ts';

export const answerOfWrite = ({ status, body }: Outcome): Answer =>
  recordedAnswer(status, JSON.stringify(body));

/** 202: the call was deferred, or joined one that is, and the body says where to poll. */
const recordedAnswer = (status: number, body: string): Answer =>
  status === 202
    ? { status, body, poll: (JSON.parse(body) as DeferralBody).poll }
    : { status, body };

export function answerOf(id: string, given: JobAnswer | null, op?: AnyOperation): Answer {
  if (given) return recordedAnswer(given.httpStatus, given.answer);
  const poll = pathOf(id, op);
  return { status: 202, body: JSON.stringify({ status: 'pending', job_id: id, poll }), poll };
}

const pathOf = (jobId: string, op?: AnyOperation): string =>
  `/api/v1/${op?.access === 'operator' ? 'admin/' : ''}jobs/${jobId}`;
