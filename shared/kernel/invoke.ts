import { authenticate } from '../agents/authenticate.ts';
import { jobOf, openAcceptance, type ValidCall } from '../jobs/accept.ts';
import { deferWrite } from '../jobs/deferred.ts';
import * as jobs from '../jobs/jobs.ts';
import type { JobAnswer, JobRecord } from '../jobs/jobs.ts';
import type { Waiters } from '../jobs/waiters.ts';
import { crashPoint } from '../platform/crash_point.ts';
import { LostCommit } from '../platform/database.ts';
import { isDemoted, isUnanswered } from '../platform/fault.ts';
import { endIdleSessions } from '../platform/connections/half_open.ts';
import { Permit } from '../platform/limiter.ts';
import type { Holder } from '../platform/shares/fair_queue.ts';
import { withTimeout } from '../platform/timeout.ts';
import { holderOf, keyOf, takesKey, type Answer, type IncomingCall, type Invoke } from './call.ts';
import type { Context } from './context.ts';
import type { AnyOperation, Call } from './operation.ts';
import { perform } from './perform.ts';
import { answerOf, answerOfWrite } from '../composition/recorded_answers.ts';
import { countCalls } from '../composition/count_calls.ts';
import { Refusal } from './refusal.ts';
import { parse } from './schema.ts';
import { refuseUnstorable } from './storable.ts';
import { inTransaction } from './transaction.ts';
import { PLATFORM } from '../agents/caller.ts';
import { openPaidCalls } from '../x402/paid_calls.ts';
import { isPaidWithoutKey, withDue, withGoods, withReceipt } from '../composition/paid_answers.ts';

const ATTEMPTS_MAX = 5;

/** A valid call that holds a permit. */
interface Invocation extends ValidCall, Pick<IncomingCall, 'token' | 'onRateLimit'> {
  readonly permit: Permit;
}

interface KeyedInvocation extends Invocation {
  readonly key: string;
}

/** Where every call of an operation comes in, whichever interface it was made by. */
export function openInvoke(context: Context, waiters: Waiters): Invoke {
  const accept = openAcceptance(context, waiters);
  const paidCalls = openPaidCalls(context, waiters);
  const { api, databaseMs } = context.config;

  return async (op, incoming) => {
    const permit = incoming.permit ?? new Permit(context.limiters.calls);
    let holder: Holder = incoming.address ?? '';
    try {
      const isWithoutKey = isPaidWithoutKey(op, incoming);
      const caller = isWithoutKey
        ? PLATFORM
        : await authenticate(context, incoming.token, op, incoming);
      incoming.onCaller?.(caller);
      const { dropUnknown, address, disconnect, onRateLimit } = incoming;
      holder = holderOf({ caller, address });
      const [body] = await Promise.all([
        incoming.read(),
        incoming.isCounted || countCalls(context, { caller, address, onRateLimit }),
      ]);
      permit.acquire(holder);
      refuseUnstorable(body.input);
      const input = parse(op.input, body.input, { dropUnknown }) as object;
      const key = takesKey(op) ? keyOf(body.key) : undefined;
      const { waitMs } = body;
      const call = { ...incoming, address, disconnect, caller, input, key, waitMs, permit };
      const { payment: sent } = incoming;
      const answering = withDue(context, op, call, async () => {
        if (isWithoutKey && !sent) throw await paidCalls.demand(op, call);
        return op.costOf && sent ? answerPaid(op, call, sent) : answer(op, call);
      });
      return await withTimeout(answering, databaseMs + waitMs + (sent ? api.waitMs : 0));
    } catch (error) {
      if (error instanceof Refusal && error.isPaced) {
        permit.release(); // Whoever waits for a refusal takes nothing from others.
        await context.limiters.refusals.wait(holder);
      }
      if (isDemoted(error)) endIdleSessions(context.database);
      throw isUnanswered(error) || error instanceof LostCommit ? unavailable(op, error) : error;
    } finally {
      permit.release();
    }
  };

  /** First the payment is settled and credited. Then the call is made, whatever becomes of it. */
  async function answerPaid(
    op: AnyOperation,
    call: Invocation,
    read: () => unknown,
  ): Promise<Answer> {
    call.permit.release();
    // A write has no wait of its own.
    const waitMs = op.mode === 'job' ? call.waitMs : api.waitMs;
    const paid = await paidCalls.take(op, { ...call, waitMs }, read);
    if ('refused' in paid) return answerOf(paid.refused.id, paid.refused);
    crashPoint('X2');
    const { receipt, ...made } = paid;
    call.permit.acquire(holderOf({ ...call, ...made }));
    return withReceipt(context, receipt, call, () =>
      withGoods(context, op, { ...call, ...made }, answer),
    );
  }

  async function answer(op: AnyOperation, call: Invocation): Promise<Answer> {
    const { key } = call;
    switch (op.mode) {
      case 'read':
        return { status: 200, body: await read(op, call) };
      case 'write':
        await settleEvents(op);
        return key ? writeOnce(op, { ...call, key }) : write(op, call);
      case 'job':
        return run(op, call);
    }
  }

  async function read(op: AnyOperation, call: Invocation): Promise<string> {
    const { input, requestId, waitMs, permit } = call;
    const attempt = () => perform(context, op, input, factsOf(call, requestId));
    const { costlyReads } = context.limiters;
    async function look() {
      await settleEvents(op);
      return op.costly ? costlyReads.run(holderOf(call), attempt) : attempt();
    }
    const { body } = (await look())!;
    const change = waitMs > 0 && op.awaits?.(body, call);
    if (!change) return JSON.stringify(body);
    permit.release();
    if ('jobId' in change) await waitFor(change.jobId, call, change.untilEnd);
    else await context.feed.waitFor(change, { ...call, holder: holderOf(call) });
    await authenticate(context, call.token, op, call); // Its key may be revoked.
    return JSON.stringify((await look())!.body);
  }

  async function settleEvents(op: AnyOperation): Promise<void> {
    if (op.readsEvents) await context.feed.settle();
  }

  async function write(op: AnyOperation, call: Invocation): Promise<Answer> {
    const facts = factsOf(call, jobs.newJobId(context.clock.now()));
    const outcome = await perform(context, op, call.input, facts, {
      async defer(db, deferral) {
        if (deferral.isRepeat) return; // No row: an equal call waits already.
        const job = { ...jobOf(context, op, call), id: facts.key, input: {} };
        await jobs.insertJobs(db, [job]);
        await deferWrite(db, context.secrets, { ...job, input: call.input }, deferral);
      },
    });
    return answerOfWrite(outcome!);
  }

  /** The job row of a keyed write is inserted first: a second call with the key waits for it. */
  async function writeOnce(op: AnyOperation, call: KeyedInvocation): Promise<Answer> {
    const { caller, input, key, requestId } = call;
    const before = await jobs.findByKey(context.database, { agentId: caller.agentId, key });
    if (before) return replay(op, call, before);

    // Its input is not stored: it may hold secrets, and a write is never repeated from its row.
    const job = { ...jobOf(context, op, call), input: {} };
    try {
      const outcome = await perform(context, op, input, factsOf(call, job.id), {
        begin: async (db) => (await jobs.insertJobs(db, [job])).has(job.id),
        finish: (db, output) =>
          jobs.finishJobs(db, [jobs.resultAnswer(job.id, op.redact ? op.redact(output) : output)]),
        defer: (db, deferral) => deferWrite(db, context.secrets, { ...job, input }, deferral),
      });
      if (outcome) return answerOfWrite(outcome);
    } catch (error) {
      if (!(error instanceof Refusal) || !error.bindsKey) throw error;
      await inTransaction(context, factsOf(call, job.id), async ({ db }) => {
        const inserted = await jobs.insertJobs(db, [job]);
        if (!inserted.has(job.id)) return;
        await jobs.finishJobs(db, [context.refusalAnswer(job.id, error, requestId)]);
      });
      throw error;
    }
    const recorded = await jobs.findByKey(context.database, { agentId: caller.agentId, key });
    if (recorded) return replay(op, call, recorded);
    throw new Refusal('service_unavailable', 'This key is being used by others. Repeat the call.');
  }

  async function run(op: AnyOperation, call: Invocation): Promise<Answer> {
    const { caller, key } = call;
    call.permit.release(); // A job has a permit of its own.
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const { job, waiter } = await accept(op, call);
      if (job) return answerOf(job.id, await waiter.answer, op);

      const agentId = caller.agentId;
      const recorded = await jobs.findByKey(context.database, { agentId, key: key! });
      if (recorded) return replay(op, { ...call, key: key! }, recorded);
      // The first call has just ended in a refusal that does not bind its key: use it again.
    }
    throw new Refusal('service_unavailable', 'This key is being used by others. Repeat the call.');
  }

  /** What this key's first call was answered, or is about to be. */
  async function replay(
    op: AnyOperation,
    call: KeyedInvocation,
    { id, hash, answer: given }: JobRecord,
  ): Promise<Answer> {
    if (!context.secrets.isHashOf(hash, jobs.PURPOSE, jobs.fingerprintOf(op.name, call.input))) {
      throw new Refusal(
        'idempotency_conflict',
        'This Idempotency-Key was used for another call. Use a new key for a new call.',
      );
    }
    if (given) return { ...answerOf(id, await rehydrated(op, call, given)), replayed: true };
    call.permit.release();
    const answer = await waitFor(id, call);
    return answerOf(id, answer && (await rehydrated(op, call, answer)));
  }

  function waitFor(id: string, call: Invocation, untilEnd = false): Promise<JobAnswer | null> {
    return waiters.waitFor(id, { ...call, untilEnd, holder: holderOf(call) }).answer;
  }

  function factsOf(call: Invocation, key: string): Call {
    const { caller, requestId, address, onRateLimit } = call;
    return { caller, key, now: context.clock.now(), requestId, address, onRateLimit };
  }

  /** An answer of which something was not stored, in full again. */
  async function rehydrated(
    op: AnyOperation,
    call: Invocation,
    given: JobAnswer,
  ): Promise<JobAnswer> {
    if (!op.rehydrate || given.status !== 'complete') return given;
    const stored = JSON.parse(given.answer) as object;
    const read = { readOnly: true };
    const facts = factsOf(call, given.id);
    const whole = await inTransaction(context, facts, ({ db }) => op.rehydrate!(db, stored), read);
    return { ...given, answer: JSON.stringify(whole) };
  }
}

function unavailable(op: AnyOperation, cause: unknown): Refusal {
  const refusal = new Refusal(
    'service_unavailable',
    op.mode === 'read'
      ? 'The database does not answer. Try again in a moment.'
      : 'The database did not answer, so it is not known whether this happened. Repeat it with ' +
          'the Idempotency-Key you sent; if you sent none, look before you repeat it.',
  );
  refusal.cause = cause;
  return refusal;
}
