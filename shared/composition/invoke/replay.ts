import type { JobRecord } from '../../jobs/jobs.ts';
import { isSameCall } from '../../jobs/same_call.ts';
import type { Answer } from '../../kernel/call.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { JobAnswer } from '../../kernel/terms/job_answer.ts';
import { inTransaction } from '../../performing/transaction.ts';
import { factsOf, waitFor, type Invoking, type KeyedInvocation } from './invocation.ts';
import { answerOf } from './recorded_answers.ts';

/** Answers a repeat as the first call of its key was answered, or is about to be. */
export async function replay(
  invoking: Invoking,
  op: AnyOperation,
  call: KeyedInvocation,
  { id, hash, answer: given }: JobRecord,
): Promise<Answer> {
  const { secrets } = invoking.context;
  if (!isSameCall(secrets, hash, { op, input: call.input })) {
    throw new Refusal(
      'idempotency_conflict',
      'This Idempotency-Key was used for another call. Send a new key.',
    );
  }
  const whole = (answer: JobAnswer) => rehydrated(invoking, op, call, answer);
  if (given) return { ...answerOf(id, await whole(given)), replayed: true };
  call.permit.release();
  const answer = await waitFor(invoking, id, call);
  return { ...answerOf(id, answer && (await whole(answer))), isShared: true };
}

/** The full answer again, with the parts that were not stored. */
async function rehydrated(
  invoking: Invoking,
  op: AnyOperation,
  call: KeyedInvocation,
  given: JobAnswer,
): Promise<JobAnswer> {
  const rehydrate = op.stored?.rehydrate;
  if (!rehydrate || given.status !== 'complete') return given;
  const stored = JSON.parse(given.answer) as object;
  const facts = factsOf(invoking, call, given.id);
  const whole = await inTransaction(invoking.context, facts, ({ db }) => rehydrate(db, stored), {
    readOnly: true,
  });
  return { ...given, answer: JSON.stringify(whole) };
}
