import { openAcceptance } from '../../jobs/accept.ts';
import type { Waiters } from '../../jobs/waiters.ts';
import { holderOf, recordedKeyOf, takesKey, type Answer, type Invoke } from '../../kernel/call.ts';
import { PLATFORM } from '../../kernel/caller.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { parse } from '../../kernel/schema.ts';
import { refuseUnstorable } from '../../kernel/storable.ts';
import { endIdleSessions } from '../../platform/connections/half_open.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { LostCommit } from '../../platform/database.ts';
import { isDemoted, isUnanswered } from '../../platform/fault.ts';
import { Permit } from '../../platform/limiter.ts';
import type { Holder } from '../../platform/shares/fair_queue.ts';
import { withTimeout } from '../../platform/timeout.ts';
import { authenticate } from '../../domains/agents/authenticate.ts';
import { openPaidCalls } from '../../domains/x402/paid_calls.ts';
import type { Context } from '../context.ts';
import { countCalls } from './count_calls.ts';
import { dryRun } from './dry_run.ts';
import type { Invocation } from './invocation.ts';
import { runJob } from './job.ts';
import { refuseOtherCursor } from './list_cursor.ts';
import { isPaidWithoutKey, withDue, withGoods, withReceipt } from './paid_answers.ts';
import { read, settleEvents } from './read.ts';
import { answerOf } from './recorded_answers.ts';
import { write } from './write.ts';
import { openWriteBatches } from './write_batches.ts';

/** The entry of every call of an operation, over any interface. */
export function openInvoke(context: Context, waiters: Waiters): Invoke {
  const invoking = { context, waiters };
  const accept = openAcceptance(context, waiters);
  const writeInBatch = openWriteBatches(invoking);
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
      const { token, prove, requestId, dropUnknown, address, disconnect, onRateLimit } = incoming;
      holder = holderOf({ caller, address });
      const [body] = await Promise.all([
        incoming.read(),
        incoming.isCounted || countCalls(context, { caller, address, onRateLimit }),
      ]);
      permit.acquire(holder);
      refuseUnstorable(body.input);
      const input = parse(op.input, body.input, {
        dropUnknown,
        isRead: op.mode === 'read',
      }) as object;
      refuseOtherCursor(op, input);
      const key = takesKey(op) ? recordedKeyOf(caller, body.key) : undefined;
      const { waitMs } = body;
      // Not `{ ...incoming, caller }`: Node 20 takes a microsecond for each field after a spread.
      const sender = { token, prove, requestId, address, disconnect, onRateLimit };
      const call = { caller, input, key, waitMs, permit, ...sender };
      const { payment: sent } = incoming;
      const answering = withDue(context, op, call, async () => {
        if (isWithoutKey && (!sent || body.isDryRun)) throw await paidCalls.demand(op, call);
        if (body.isDryRun) return dryRun(invoking, op, call);
        return op.paid && sent ? answerPaid(op, call, sent) : answer(op, call);
      });
      const msMax = databaseMs + waitMs + (sent ? api.waitMs : 0);
      const answered = await withTimeout(answering, msMax);
      context.schemaFit.noteSuccess(op.name);
      return answered;
    } catch (error) {
      context.schemaFit.noteError(op.name, error);
      if (error instanceof Refusal && error.isPaced) {
        permit.release(); // A caller that waits for its refusal uses no permit.
        await context.limiters.refusals.wait(holder);
      }
      if (isDemoted(error)) endIdleSessions(context.database);
      throw isUnanswered(error) || error instanceof LostCommit ? unavailable(op, error) : error;
    } finally {
      permit.release();
    }
  };

  /** Settles and credits the payment first, and then makes the call, which may still fail. */
  async function answerPaid(
    op: AnyOperation,
    call: Invocation,
    read: () => unknown,
  ): Promise<Answer> {
    call.permit.release();
    // A write has no wait preference.
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
    switch (op.mode) {
      case 'read':
        return { status: 200, body: await read(invoking, op, call) };
      case 'write':
        await settleEvents(invoking, op);
        return (op.writeBatch && (await writeInBatch(op, call))) ?? write(invoking, op, call);
      case 'job':
        return runJob(invoking, accept, op, call);
    }
  }
}

function unavailable(op: AnyOperation, cause: unknown): Refusal {
  const refusal = new Refusal(
    'service_unavailable',
    op.mode === 'read'
      ? 'The database does not answer. Retry later.'
      : 'The database did not answer, so the outcome is unknown. Repeat the call with the same ' +
          'Idempotency-Key; if you sent none, check the outcome before you repeat it.',
  );
  refusal.cause = cause;
  return refusal;
}
