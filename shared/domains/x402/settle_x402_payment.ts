import { setTimeout } from 'node:timers/promises';

import { findByKey } from '../../jobs/jobs.ts';
import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Output } from '../../kernel/schema.ts';
import { crashPoint } from '../../platform/crash_point.ts';
import { column, row, type Database } from '../../platform/rows.ts';
import { findAccount } from './accounts.ts';
import { creditPayment } from './credit_payment.ts';
import { recordAnswers, type FacilitatorAnswer } from './facilitators/states.ts';
import type { Finding, RecordedPayment, X402Gateway } from './gateway.ts';
import { lookForX402Payment, LOOK_AFTER_MS } from './look_for_x402_payment.ts';
import {
  ANSWERED,
  FACILITATOR_UNAVAILABLE,
  NONCE_USED,
  notKnown,
  notTaken,
  USED_BEFORE,
  usedBefore,
} from './outcomes.ts';
import {
  endLapsed,
  lockPayment,
  noteReason,
  readPayment,
  recordedOf,
  type PaymentRow,
} from './payments.ts';

/** Longer than a facilitator and the node may take. */
const GATHER_MS = 60_000;
/** A node may be some blocks behind the one that the facilitator asks. */
const LOOKS_MAX = 5;
const LOOK_EVERY_MS = 1_000;

type Outcome = Pick<Finding, 'transfer' | 'isLapsed' | 'reason'> & {
  /** The call had been made before: the payment was given to nobody. */
  readonly isAnswered?: boolean;
  /** The chain would refuse it: this run gave it to nobody. */
  readonly isRefused?: boolean;
  /** How facilitators answered. */
  readonly answers?: readonly FacilitatorAnswer[] | undefined;
};

/** The open payment of a job, as it was read. */
interface OpenPayment {
  readonly payment: RecordedPayment;
  readonly isAnswered: boolean;
}

/**
 * Has a payment settled, and credits it. It may run any number of times: the asset takes an
 * authorization once, and what counts is what is on the chain.
 */
export const settleX402Payment = operation({
  name: 'settle_x402_payment',
  title: 'Settle a payment by x402',
  summary: 'Internal: has a payment by x402 settled, and credits it.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  gatherMs: GATHER_MS,
  refusals: ['payment_failed'],
  input: Input({ payment_id: Id('The payment.') }),
  output: Output({
    status: OneOf(
      ['settled', 'answered'],
      'In the wallet, or not needed: its call was made before.',
    ),
  }),

  async prepare({ db }, { payment_id }): Promise<OpenPayment | undefined> {
    const payment = await readPayment(db, payment_id);
    if (payment.status !== 'open') return undefined;
    return { payment: recordedOf(payment), isAnswered: await isAnswered(db, payment) };
  },

  async gather({ x402 }, _input, { signal }, unsettled): Promise<Outcome | undefined> {
    return unsettled && settled(x402, unsettled, signal);
  },

  async handle(tx, { payment_id }, outcome) {
    await recordAnswers(tx, outcome?.answers ?? []);
    const payment = await lockPayment(tx.db, payment_id);
    if (payment.status === 'settled') return { status: 'settled' as const };
    if (payment.status === 'lapsed') return lapsed(payment, payment.reason ?? undefined);
    if (outcome?.transfer) {
      const isCredited = await creditPayment(tx, payment, outcome.transfer);
      return isCredited ? { status: 'settled' as const } : usedBefore();
    }
    if (outcome?.isAnswered && (await endLapsed(tx.db, payment_id, ANSWERED))) {
      return { status: 'answered' as const };
    }
    const { isLapsed, isRefused, reason = EXPIRED } = outcome ?? { isLapsed: false };
    if (isLapsed && (await endLapsed(tx.db, payment_id, reason))) return lapsed(payment, reason);
    const isGivenToNobody = isRefused && (await isFirstRun(tx.db, payment));
    await noteReason(tx.db, payment_id, reason);
    await tx.enqueue(
      lookForX402Payment,
      { payment_id },
      { cause: 'look', delayMs: delayTo(payment, tx.now) },
    );
    return isGivenToNobody ? notTaken(payment, reason) : notKnown(payment, reason);
  },

  ends: {
    /** No node answered. It is looked for until one does. */
    async onGiveUp(tx, input) {
      const payment = await lockPayment(tx.db, input.payment_id);
      if (payment.status === 'open') await noteReason(tx.db, payment.id, FACILITATOR_UNAVAILABLE);
      await tx.enqueue(lookForX402Payment, input, {
        cause: 'look',
        delayMs: delayTo(payment, tx.now),
      });
      return 'fail';
    },
  },
});

async function settled(
  x402: X402Gateway,
  { payment, isAnswered: wasAnswered }: OpenPayment,
  signal: AbortSignal,
): Promise<Outcome> {
  const before = await x402.find(payment);
  if (before.transfer || before.isLapsed) return before;
  const refusal = await x402.refusalOf(payment);
  // A nonce that was used meanwhile is no refusal: somebody has made this payment.
  const isRefused = refusal !== NONCE_USED;
  if (refusal !== undefined) return { isLapsed: false, isRefused, reason: refusal };
  // It is signed by its payer, who is told what the call had been answered.
  if (wasAnswered) return { isLapsed: false, isAnswered: true };
  // It may have settled, whatever is answered, or is not.
  const verdict = await x402.settle(payment);
  const { answers } = verdict;
  crashPoint('X1');
  let found = await x402.find(payment);
  for (let looks = 1; verdict.isSettled && !found.transfer && looks < LOOKS_MAX; looks += 1) {
    await pause(LOOK_EVERY_MS, signal);
    found = await x402.find(payment);
  }
  if (found.transfer || found.isLapsed) return { ...found, answers };
  // A facilitator that says so of what is not there lies, or its transaction was lost.
  return { ...found, answers, reason: verdict.isSettled ? 'not_found_on_chain' : verdict.reason };
}

const pause = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });

const delayTo = ({ valid_before }: PaymentRow, now: Date): number =>
  Math.max(0, valid_before.getTime() - now.getTime()) + LOOK_AFTER_MS;

const EXPIRED = 'expired';

function lapsed(payment: PaymentRow, reason = EXPIRED) {
  if (reason === ANSWERED) return { status: 'answered' as const };
  return reason === USED_BEFORE ? usedBefore() : notTaken(payment, reason);
}

/** Whether the call that was sent with the payment had been made for its payer before. */
async function isAnswered(db: Database, { agent_id, call_key, payer }: PaymentRow) {
  if (agent_id !== null || call_key === null) return false;
  const agentId = await findAccount(db, payer);
  return agentId !== undefined && (await findByKey(db, { agentId, key: call_key })) !== null;
}

/** Whether nobody can have been given the payment by a run before: a first one counts none. */
async function isFirstRun(db: Database, { job_id, reason }: PaymentRow): Promise<boolean> {
  if (reason !== null) return false;
  const sql = 'select attempts from job where id = $1';
  return (await row(db, { attempts: column.int }, sql, [job_id])).attempts === 0;
}
