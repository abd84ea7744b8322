import { jobOf } from '../../jobs/accept.ts';
import { deferWrite } from '../../jobs/deferred.ts';
import * as jobs from '../../jobs/jobs.ts';
import type { Answer } from '../../kernel/call.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { perform } from '../../performing/perform.ts';
import { inTransaction } from '../../performing/transaction.ts';
import { factsOf, type Invocation, type Invoking, type KeyedInvocation } from './invocation.ts';
import { answerOfWrite } from './recorded_answers.ts';
import { replay } from './replay.ts';

/** Performs a write: one with a key once for its key. */
export function write(invoking: Invoking, op: AnyOperation, call: Invocation): Promise<Answer> {
  const { key } = call;
  return key ? writeOnce(invoking, op, { ...call, key }) : writeWithoutKey(invoking, op, call);
}

async function writeWithoutKey(
  invoking: Invoking,
  op: AnyOperation,
  call: Invocation,
): Promise<Answer> {
  const { context } = invoking;
  const facts = factsOf(invoking, call, jobs.newJobId(context.clock.now()));
  const outcome = await perform(context, op, call.input, facts, {
    async defer(db, deferral) {
      if (deferral.isRepeat) return; // An equal call waits already, so this one gets no row.
      const job = { ...jobOf(context, op, call), id: facts.key, input: {} };
      await jobs.insertJobs(db, [job]);
      await deferWrite(db, context.secrets, { ...job, input: call.input }, deferral);
    },
  });
  return answerOfWrite(outcome!);
}

/**
 * Performs a write once for its key. Its job row is inserted first: a second call with the key
 * waits for it.
 */
async function writeOnce(
  invoking: Invoking,
  op: AnyOperation,
  call: KeyedInvocation,
): Promise<Answer> {
  const { context } = invoking;
  const { caller, input, key, requestId } = call;
  const before = await jobs.findByKey(context.database, { agentId: caller.agentId, key });
  if (before) return replay(invoking, op, call, before);

  // The input is not stored: it may hold secrets, and a write is never repeated from its row.
  const job = { ...jobOf(context, op, call), input: {} };
  try {
    const outcome = await perform(context, op, input, factsOf(invoking, call, job.id), {
      begin: async (db) => (await jobs.insertJobs(db, [job])).has(job.id),
      finish: (db, output) =>
        jobs.finishJobs(db, [jobs.resultAnswer(job.id, op.stored?.redact?.(output) ?? output)]),
      defer: (db, deferral) => deferWrite(db, context.secrets, { ...job, input }, deferral),
    });
    if (outcome) return answerOfWrite(outcome);
  } catch (error) {
    if (!(error instanceof Refusal) || !error.bindsKey) throw error;
    await inTransaction(context, factsOf(invoking, call, job.id), async ({ db }) => {
      const inserted = await jobs.insertJobs(db, [job]);
      if (!inserted.has(job.id)) return;
      await jobs.finishJobs(db, [context.refusalAnswer(job.id, error, requestId, op.name)]);
    });
    throw error;
  }
  const recorded = await jobs.findByKey(context.database, { agentId: caller.agentId, key });
  if (recorded) return replay(invoking, op, call, recorded);
  throw keyIsTaken();
}

export const keyIsTaken = (): Refusal =>
  new Refusal('service_unavailable', 'This key is being used by others. Repeat the call.');
