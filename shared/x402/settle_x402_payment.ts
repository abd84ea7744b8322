import { setTimeout } from 'node:timers/promises';

import { operation } from '../kernel/operation.ts';
import { Refusal } from '../kernel/refusal.ts';
import { Id, Input, OneOf, Output } from '../kernel/schema.ts';
import { toUsd } from '../ledger/money.ts';
import { crashPoint } from '../platform/crash_point.ts';
import { creditPayment } from './credit_payment.ts';
import type { Finding, RecordedPayment, Verdict, X402Gateway } from './gateway.ts';
import { lookForX402Payment, LOOK_AFTER_MS } from './look_for_x402_payment.ts';
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

type Outcome = Finding & Pick<Verdict, 'reason'>;

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
  domain: 'x402',
  queue: 'network',
  gatherMs: GATHER_MS,
  refusals: ['payment_failed'],
  input: Input({ payment_id: Id('The payment.') }),
  output: Output({ status: OneOf(['settled'], 'It is in the wallet.') }),

  async prepare({ db }, { payment_id }): Promise<RecordedPayment | undefined> {
    const payment = await readPayment(db, payment_id);
    return payment.status === 'open' ? recordedOf(payment) : undefined;
  },

  async gather({ x402 }, _input, { signal }, payment): Promise<Outcome | undefined> {
    return payment && settled(x402, payment, signal);
  },

  async handle(tx, { payment_id }, outcome) {
    const payment = await lockPayment(tx.db, payment_id);
    if (payment.status === 'settled') return { status: payment.status };
    if (outcome?.transfer) {
      await creditPayment(tx, payment, outcome.transfer);
      return { status: 'settled' as const };
    }
    const { isLapsed, reason = 'expired' } = outcome ?? { isLapsed: true };
    if (isLapsed) await endLapsed(tx.db, payment_id);
    else {
      await noteReason(tx.db, payment_id, reason);
      await tx.enqueue(
        lookForX402Payment,
        { payment_id },
        { cause: 'look', delayMs: delayTo(payment, tx.now) },
      );
    }
    return notSettled(payment, { isLapsed, reason });
  },

  /** No node answered. It is looked for until one does. */
  async onGiveUp(tx, input) {
    const delayMs = delayTo(await readPayment(tx.db, input.payment_id), tx.now);
    await tx.enqueue(lookForX402Payment, input, { cause: 'look', delayMs });
    return 'fail';
  },
});

async function settled(
  x402: X402Gateway,
  payment: RecordedPayment,
  signal: AbortSignal,
): Promise<Outcome> {
  const before = await x402.find(payment);
  if (before.transfer || before.isLapsed) return before;
  // It may have settled, whatever is answered, or is not.
  const verdict = await x402
    .settle(payment)
    .catch((): Verdict => ({ isSettled: false, reason: 'facilitator_unavailable' }));
  crashPoint('X1');
  let found = await x402.find(payment);
  for (let looks = 1; verdict.isSettled && !found.transfer && looks < LOOKS_MAX; looks += 1) {
    await pause(LOOK_EVERY_MS, signal);
    found = await x402.find(payment);
  }
  // A facilitator that says so of what is not there lies, or its transaction was lost.
  return { ...found, reason: verdict.isSettled ? 'not_found_on_chain' : verdict.reason };
}

const pause = (ms: number, signal: AbortSignal) => setTimeout(ms, undefined, { signal });

const delayTo = ({ valid_before }: PaymentRow, now: Date): number =>
  Math.max(0, valid_before.getTime() - now.getTime()) + LOOK_AFTER_MS;

const UNKNOWN: readonly string[] = ['facilitator_unavailable', 'not_found_on_chain'];

function notSettled(
  { amount, valid_before }: PaymentRow,
  { isLapsed, reason }: { isLapsed: boolean; reason: string },
): Refusal {
  const isUnknown = !isLapsed && UNKNOWN.includes(reason);
  const message = isUnknown
    ? 'Whether the payment was settled is not known yet, and the call was not made. Repeat it ' +
      'with the same payment; if it is settled later, it is credited to the wallet.'
    : `The payment was not settled (${reason}), so nothing was charged and the call was not made.`;
  return new Refusal('payment_failed', message, {
    reason,
    charged: isUnknown ? null : false,
    amount_due: toUsd(amount),
    valid_before: valid_before.toISOString(),
  });
}
