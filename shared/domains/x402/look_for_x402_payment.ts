import { operation } from '../../kernel/operation.ts';
import { Id, Input, OneOf, Output } from '../../kernel/schema.ts';
import { creditPayment } from './credit_payment.ts';
import type { Finding } from './gateway.ts';
import { endLapsed, lockPayment, readPayment, recordedOf } from './payments.ts';

/** So long after its end a payment is looked for: the chain has a clock of its own. */
export const LOOK_AFTER_MS = 15_000;
const AGAIN_MS = 60_000;
const WITHOUT_NODE_MS = 10 * 60_000;

/**
 * Finds out what became of a payment that was not settled in time: a facilitator may have settled
 * it without a word. It is credited then, because it is paid.
 */
export const lookForX402Payment = operation({
  name: 'look_for_x402_payment',
  title: 'Look for a payment by x402',
  summary: 'Internal: looks on the chain for a payment by x402 whose fate is not known.',
  access: 'operator',
  mode: 'job',
  queue: 'network',
  input: Input({ payment_id: Id('The payment.') }),
  output: Output({ status: OneOf(['open', 'settled', 'lapsed'], 'Status of the payment.') }),

  prepare: async ({ db }, { payment_id }) => readPayment(db, payment_id),

  gather: async ({ x402 }, _input, _call, payment): Promise<Finding | undefined> =>
    payment.status === 'open' ? x402.find(recordedOf(payment)) : undefined,

  async handle(tx, input, found) {
    const payment = await lockPayment(tx.db, input.payment_id);
    if (payment.status !== 'open' || !found) return { status: payment.status };
    if (found.transfer) {
      const isCredited = await creditPayment(tx, payment, found.transfer);
      return { status: isCredited ? ('settled' as const) : ('lapsed' as const) };
    }
    if (found.isLapsed && (await endLapsed(tx.db, payment.id, found.reason ?? 'expired'))) {
      return { status: 'lapsed' as const };
    }
    await tx.enqueue(lookForX402Payment, input, { cause: 'again', delayMs: AGAIN_MS });
    return { status: 'open' as const };
  },

  ends: {
    async onGiveUp(tx, input) {
      await tx.enqueue(lookForX402Payment, input, { cause: 'again', delayMs: WITHOUT_NODE_MS });
      return 'fail';
    },
  },
});
