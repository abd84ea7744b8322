import type { Caller } from '../../kernel/caller.ts';
import { jobOf, type ValidCall } from '../../jobs/accept.ts';
import { findByKey, fingerprintOf, insertJobs, PURPOSE, type NewJob } from '../../jobs/jobs.ts';
import type { JobAnswer } from '../../kernel/terms/job_answer.ts';
import type { Waiter, Waiters } from '../../jobs/waiters.ts';
import { holderOf, takesKey, type Receipt } from '../../kernel/call.ts';
import type { Context } from '../../composition/context.ts';
import { take as takeLimit } from '../../kernel/limits/limits.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { inTransaction } from '../../performing/transaction.ts';
import { column, rows, type Database } from '../../platform/rows.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { findAccount, payerOf } from './accounts.ts';
import { paymentOf, refuseUntimely, type Payment } from './payment.ts';
import { findPayment, handToJob, recordPayment, UNSETTLED, type PaymentRow } from './payments.ts';
import { assertRepeats, keyOfPaid, originOf } from './repeats.ts';
import { assertEnough, demandFor, factsOf, judged, withTerms, type PricedCall } from './prices.ts';
import { railOf } from './rail.ts';
import type { X402Rail } from './settings.ts';
import { ANSWERED, USED_BEFORE, usedBefore } from './outcomes.ts';

/** Who makes a call that is paid for, and with which key it is made once. */
interface PaidCall {
  readonly caller: Caller;
  readonly key: string | undefined;
  /** Absent: the call had been made before, so nothing was taken for it. */
  readonly receipt?: Receipt | undefined;
}

/** The payment was not settled, and why. */
interface UnpaidCall {
  readonly refused: JobAnswer;
}

/** The job that settles a payment, and who waits for it. */
interface Settling {
  readonly id: string;
  readonly waiter: Waiter;
}

interface PaidCalls {
  /** The answer to a caller without a key: the cost of the call. */
  demand(op: AnyOperation, call: ValidCall): Promise<Refusal>;
  /** Has the payment that was sent with a call settled and credited, once. */
  take(op: AnyOperation, call: ValidCall, read: () => unknown): Promise<PaidCall | UnpaidCall>;
}

const ATTEMPTS_MAX = 3;

/**
 * Payments come before the calls that they pay for: recorded, settled, credited to a wallet, and
 * then the call is made like any other, with all limits of its agent. So money is never lost with a
 * call that fails, and a call whose answer was lost is made once, when it is repeated.
 */
export function openPaidCalls(context: Context, waiters: Waiters): PaidCalls {
  const { secrets, clock, database, queue } = context;
  const settling = context.operations.get('settle_x402_payment')!;

  async function take(
    op: AnyOperation,
    call: ValidCall,
    read: () => unknown,
  ): Promise<PaidCall | UnpaidCall> {
    const rail = railOf(context.config);
    const payment = await judged(context, { op, call }, () => paymentOf(rail, read()));
    const priced = { op, call, payer: payment.payer };
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const before = await findPayment(database, rail, payment);
      if (before) assertRepeats(context, op, { call, payment, recorded: before });
      if (before && before.status !== 'open') return paid(op, call, before);
      if (!before && (await isAnswered(op, call))) return { caller: call.caller, key: call.key };
      const job = before ? await joined(call, before) : await reserved(rail, priced, payment);
      const answer = await job?.waiter.answer;
      if (answer?.status === 'failed') return { refused: await withTerms(context, priced, answer) };
      if (job && !answer) throw pending();
    }
    const settled = await findPayment(database, rail, payment);
    if (settled?.status === 'settled') return paid(op, call, settled);
    throw pending();
  }

  /** The call's own key was used: its answer costs nothing more. */
  async function isAnswered(op: AnyOperation, { caller, key }: ValidCall): Promise<boolean> {
    if (key === undefined || caller.agentId === 0) return false;
    return takesKey(op) && (await findByKey(database, { ...caller, key })) !== null;
  }

  /** Records the payment with the job that settles it. Undefined: another call was quicker. */
  async function reserved(
    rail: X402Rail,
    priced: PricedCall,
    payment: Payment,
  ): Promise<Settling | undefined> {
    const { op, call } = priced;
    await judged(context, priced, () => refuseUntimely(payment, clock.now()));
    const { hash: inputHash } = secrets.hash(PURPOSE, fingerprintOf(op.name, call.input));
    const { agentId, rootId } = call.caller;
    const whose = agentId === 0 ? { agentId: null, rootId: null } : { agentId, rootId };
    const origin = originOf(context, call);
    return start(call, async (tx, jobId) => {
      await assertEnough(tx, priced, payment);
      const callKey = call.key ?? null;
      const paidCall = { operation: op.name, inputHash, ...whose, callKey, origin, jobId };
      const id = await recordPayment(tx.db, rail, payment, paidCall);
      if (id !== undefined) await takeLimit(tx, UNSETTLED, { address: origin });
      return id;
    });
  }

  /** The job that settles a payment which was recorded before: the same, or one more. */
  async function joined(call: ValidCall, row: PaymentRow): Promise<Settling | undefined> {
    const { job_id: id } = row;
    if (await isPending(database, id)) return { id, waiter: waiterFor(id, call) };
    return start(call, async ({ db }, jobId) =>
      (await handToJob(db, row, jobId)) ? row.id : undefined,
    );
  }

  /** Starts a job that settles the payment of this id. Undefined: there was none. */
  async function start(
    call: ValidCall,
    paymentOf: (tx: Tx, jobId: string) => Promise<number | undefined>,
  ): Promise<Settling | undefined> {
    const named = (input: object): NewJob =>
      jobOf(context, settling, { ...call, key: undefined, input });
    const { id } = named({});
    const recorded = await inTransaction(context, factsOf(context, call), async (tx) => {
      const paymentId = await paymentOf(tx, id);
      if (paymentId === undefined) return false;
      await insertJobs(tx.db, [{ ...named({ payment_id: paymentId }), id }]);
      return true;
    });
    if (!recorded) return undefined;
    crashPoint('X0', [id]);
    const waiter = waiterFor(id, call);
    await queue.push({
      queue: settling.queue!,
      operation: settling.name,
      ids: [id],
      replyTo: waiters.channel,
    });
    return { id, waiter };
  }

  const waiterFor = (id: string, call: ValidCall): Waiter =>
    waiters.waitFor(id, { ...call, holder: holderOf(call) });

  /** The call of a payment that is over: as whom it is made, once. */
  async function paid(op: AnyOperation, call: ValidCall, row: PaymentRow): Promise<PaidCall> {
    const { status, network, payer, tx_id: transaction, amount, reason } = row;
    if (status !== 'settled' && reason !== ANSWERED) throw await lapsed(op, call, row);
    const caller = row.agent_id
      ? call.caller
      : payerOf((await findAccount(database, payer))!, payer);
    const key = takesKey(op) ? keyOfPaid(row, call.key) : undefined;
    if (status !== 'settled') return { caller, key };
    return { caller, key, receipt: { transaction: transaction!, network, payer, amount } };
  }

  async function lapsed(op: AnyOperation, call: ValidCall, row: PaymentRow): Promise<Refusal> {
    if (row.reason === USED_BEFORE) return usedBefore();
    const { reason } = row;
    const message = 'The payment was not settled, and can no more be, so nothing was charged.';
    const { details } = await demandFor(context, { op, call, payer: row.payer });
    return new Refusal('payment_failed', message, {
      reason,
      charged: false,
      ...details,
    });
  }

  return { demand: (op, call) => demandFor(context, { op, call }), take };
}

const pending = () =>
  new Refusal(
    'payment_pending',
    'The payment is still being settled. Repeat the call with the same payment: it is taken ' +
      'once, and the call is made once.',
  );

async function isPending(db: Database, jobId: string): Promise<boolean> {
  const sql = `select id from job where id = $1 and status = 'pending'`;
  return (await rows(db, { id: column.text }, sql, [jobId])).length > 0;
}
