import type { Caller } from '../agents/caller.ts';
import { jobOf, type ValidCall } from '../jobs/accept.ts';
import {
  findByKey,
  fingerprintOf,
  insertJobs,
  PURPOSE,
  type JobAnswer,
  type NewJob,
} from '../jobs/jobs.ts';
import type { Waiter, Waiters } from '../jobs/waiters.ts';
import { holderOf, takesKey, type Receipt } from '../kernel/call.ts';
import type { Context } from '../kernel/context.ts';
import type { AnyOperation, Tx } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { inTransaction } from '../kernel/transaction.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { toUsd } from '../ledger/money.ts';
import { column, rows, type Database } from '../platform/rows.ts';
import { crashPoint } from '../platform/crash_point.ts';
import { findAccount, payerOf } from './accounts.ts';
import { invalidPayment, paymentOf, refuseUntimely, type Payment } from './payment.ts';
import { findPayment, handToJob, recordPayment, type PaymentRow } from './payments.ts';
import { railOf } from './rail.ts';
import type { X402Rail } from './settings.ts';
import { dueOf, missingOf } from './terms.ts';

/** Who makes a call that is paid for, and with which key it is made once. */
export interface PaidCall {
  readonly caller: Caller;
  readonly key: string | undefined;
  /** Absent: the call had been made before, so nothing was taken for it. */
  readonly receipt?: Receipt | undefined;
}

/** The payment was not settled, and why. */
export interface UnpaidCall {
  readonly refused: JobAnswer;
}

/** The job that settles a payment, and who waits for it. */
interface Settling {
  readonly id: string;
  readonly waiter: Waiter;
}

export interface PaidCalls {
  /** What a caller without a key is told: what the call costs. */
  demand(op: AnyOperation, call: ValidCall): Promise<Refusal>;
  /** Has the payment that was sent with a call settled and credited, once. */
  take(op: AnyOperation, call: ValidCall, read: () => unknown): Promise<PaidCall | UnpaidCall>;
}

/** The answer to a call may be asked for again with its payment for so long. */
const REPEATED_MS_MAX = 24 * 3_600_000;
const ATTEMPTS_MAX = 3;

/**
 * Payments come before the calls that they pay for: recorded, settled, credited to a wallet, and
 * then the call is made like any other, with all limits of its agent. So money is never lost with a
 * call that fails, and a call whose answer was lost is made once, when it is repeated.
 */
export function openPaidCalls(context: Context, waiters: Waiters): PaidCalls {
  const { secrets, clock, database, queue } = context;
  const settling = context.operations.get('settle_x402_payment')!;

  async function demand(op: AnyOperation, call: ValidCall): Promise<Refusal> {
    const { max } = railOf(context.config);
    const { amount } = await inTransaction(
      context,
      factsOf(call),
      (tx) => op.costOf!(tx, call.input),
      {
        readOnly: true,
      },
    );
    const due = toUsd(dueOf(amount));
    const way =
      amount > max
        ? `Pay with the wallet of an agent: a payment by x402 is $${toUsd(max)} at most.`
        : 'Pay by x402, or register an agent and use its wallet.';
    return new Refusal('payment_required', `This costs $${due}. ${way}`, { amount_due: due });
  }

  async function take(
    op: AnyOperation,
    call: ValidCall,
    read: () => unknown,
  ): Promise<PaidCall | UnpaidCall> {
    const rail = railOf(context.config);
    const payment = await judged(op, call, () => paymentOf(rail, read()));
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const before = await findPayment(database, rail, payment);
      if (before) assertSameCall(op, call, before);
      if (before && before.status !== 'open') return paid(op, call, before);
      if (!before && (await isAnswered(op, call))) return { caller: call.caller, key: call.key };
      const job = before ? await joined(call, before) : await reserved(rail, { op, call, payment });
      const answer = await job?.waiter.answer;
      if (answer?.status === 'failed') return { refused: answer };
      if (job && !answer) throw pending();
    }
    const settled = await findPayment(database, rail, payment);
    if (settled?.status === 'settled') return paid(op, call, settled);
    throw pending();
  }

  /** A payment that is none is refused with what one has to be. */
  async function judged<T>(op: AnyOperation, call: ValidCall, judge: () => T): Promise<T> {
    try {
      return judge();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { details } = await demand(op, call);
      throw new Refusal(error.code, error.message, { ...error.details, ...details });
    }
  }

  /** The call's own key was used: its answer costs nothing more. */
  async function isAnswered(op: AnyOperation, { caller, key }: ValidCall): Promise<boolean> {
    if (key === undefined || caller.agentId === 0) return false;
    return takesKey(op) && (await findByKey(database, { ...caller, key })) !== null;
  }

  function assertSameCall(op: AnyOperation, { caller, input }: ValidCall, row: PaymentRow): void {
    const isSame =
      row.operation === op.name &&
      (row.agent_id ?? 0) === caller.agentId &&
      secrets.isHashOf(row.input_hash, PURPOSE, fingerprintOf(op.name, input));
    const age = clock.now().getTime() - row.created_at.getTime();
    if (isSame && (row.status === 'open' || age < REPEATED_MS_MAX)) return;
    throw new Refusal(
      'payment_used',
      'This payment has paid for another call, or for this one more than a day ago. Nothing was ' +
        'charged now: sign a new one.',
      { charged: false },
    );
  }

  /** Records the payment with the job that settles it. Undefined: another call was quicker. */
  async function reserved(
    rail: X402Rail,
    { op, call, payment }: { op: AnyOperation; call: ValidCall; payment: Payment },
  ): Promise<Settling | undefined> {
    await judged(op, call, () => refuseUntimely(payment, clock.now()));
    const { hash: inputHash } = secrets.hash(PURPOSE, fingerprintOf(op.name, call.input));
    const { agentId, rootId } = call.caller;
    const whose = agentId === 0 ? { agentId: null, rootId: null } : { agentId, rootId };
    return start(call, async (tx, jobId) => {
      await assertEnough(tx, op, { call, payment });
      const paidCall = { operation: op.name, inputHash, ...whose, jobId };
      return recordPayment(tx.db, rail, payment, paidCall);
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
    const recorded = await inTransaction(context, factsOf(call), async (tx) => {
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

  /** What is missing is judged before anything is taken; the call itself judges it once more. */
  async function assertEnough(
    tx: Tx,
    op: AnyOperation,
    { call, payment }: { call: ValidCall; payment: Payment },
  ): Promise<void> {
    const account = call.caller.rootId || (await findAccount(tx.db, payment.payer));
    const caller =
      call.caller.agentId === 0 && account ? payerOf(account, payment.payer) : call.caller;
    const cost = await op.costOf!({ ...tx, caller }, call.input);
    const due = dueOf(account ? missingOf(cost, await balanceOf(tx.db, account)) : cost.amount);
    if (payment.amount >= due) return;
    throw invalidPayment(
      'invalid_exact_evm_payload_authorization_value_too_low',
      `It is $${toUsd(payment.amount)}, and $${toUsd(due)} is missing.`,
      { amount_due: toUsd(due) },
    );
  }

  /** The call of a payment that is over: as whom it is made, once. */
  async function paid(op: AnyOperation, call: ValidCall, row: PaymentRow): Promise<PaidCall> {
    const { status, network, payer, nonce, tx_id: transaction, amount } = row;
    if (status !== 'settled') {
      const message = 'The payment was not settled in its time, so nothing was charged.';
      throw new Refusal('payment_failed', message, { reason: 'expired', charged: false });
    }
    const caller = row.agent_id
      ? call.caller
      : payerOf((await findAccount(database, payer))!, payer);
    const key = takesKey(op) ? (call.key ?? `x402:${network}:${payer}:${nonce}`) : undefined;
    const receipt = { transaction: transaction!, network, payer, amount };
    return { caller, key, receipt };
  }

  const factsOf = ({ caller, requestId, address }: ValidCall) => ({
    caller,
    requestId,
    address,
    key: requestId,
    now: clock.now(),
  });

  return { demand, take };
}

const pending = () =>
  new Refusal(
    'payment_pending',
    'The payment is still being settled. Repeat the call with the same payment: it is taken once, ' +
      'and the call is made once.',
  );

async function isPending(db: Database, jobId: string): Promise<boolean> {
  const sql = `select id from job where id = $1 and status = 'pending'`;
  return (await rows(db, { id: column.text }, sql, [jobId])).length > 0;
}
