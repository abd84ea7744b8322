import type { ValidCall } from '../../jobs/accept.ts';
import type { JobAnswer } from '../../kernel/terms/job_answer.ts';
import type { Context } from '../../composition/context.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import type { Call, Tx } from '../../kernel/tx.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { inTransaction } from '../../performing/transaction.ts';
import { balanceOf } from '../ledger/ledger.ts';
import { toUsd, type Micros } from '../../kernel/money.ts';
import { findAccount, payerOf } from './accounts.ts';
import { invalidPayment, type Payment } from './payment.ts';
import { railOf } from './rail.ts';
import { dueOf, missingOf } from './terms.ts';

/** A call that can be paid for, and the address that pays, where one is known. */
export interface PricedCall {
  readonly op: AnyOperation;
  readonly call: ValidCall;
  readonly payer?: string;
}

export const factsOf = ({ clock }: Pick<Context, 'clock'>, call: ValidCall): Call => {
  const { caller, requestId, address } = call;
  return { caller, requestId, address, key: requestId, now: clock.now() };
};

/** The price of a call, less what the wallet of its caller or payer has. */
async function missingFor(tx: Tx, { op, call, payer }: PricedCall): Promise<Micros> {
  const { agentId, rootId } = call.caller;
  const known = payer === undefined ? undefined : await findAccount(tx.db, payer);
  const account = rootId || known;
  const caller = agentId === 0 && known ? payerOf(known, payer!) : call.caller;
  const cost = await op.paid!.costOf({ ...tx, caller }, call.input);
  return dueOf(account ? missingOf(cost, await balanceOf(tx.db, account)) : cost.amount);
}

/** The refusal of a caller that has to pay. */
export async function demandFor(context: Context, priced: PricedCall): Promise<Refusal> {
  const { max } = railOf(context.config);
  const facts = factsOf(context, priced.call);
  const read = { readOnly: true };
  const missing = await inTransaction(context, facts, (tx) => missingFor(tx, priced), read);
  const due = toUsd(missing);
  const way =
    missing > max
      ? `Pay with the wallet of an agent: a payment by x402 is $${toUsd(max)} at most.`
      : 'Pay by x402, or register an agent and use its wallet.';
  return new Refusal('payment_required', `This costs $${due}. ${way}`, { amount_due: due });
}

/** Refusals that come with the terms of a payment that would do. */
export async function judged<T>(
  context: Context,
  priced: PricedCall,
  judge: () => T | Promise<T>,
): Promise<T> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { details } = await demandFor(context, priced);
    throw new Refusal(error.code, error.message, { ...error.details, ...details });
  }
}

/** The same of a job's refusal, where it is known that nothing was taken. */
export async function withTerms(
  context: Context,
  priced: PricedCall,
  refused: JobAnswer,
): Promise<JobAnswer> {
  const body = JSON.parse(refused.answer) as { readonly details?: { readonly charged?: unknown } };
  if (body.details?.charged !== false) return refused;
  const { details } = await demandFor(context, priced);
  const answer = JSON.stringify({ ...body, details: { ...body.details, ...details } });
  return { ...refused, answer };
}

/** Judges the missing sum before anything is taken; the call itself judges it once more. */
export async function assertEnough(tx: Tx, priced: PricedCall, { amount }: Payment): Promise<void> {
  const due = await missingFor(tx, priced);
  if (amount >= due) return;
  throw invalidPayment(
    'invalid_exact_evm_payload_authorization_value_too_low',
    `It is $${toUsd(amount)}, and $${toUsd(due)} is missing.`,
    { amount_due: toUsd(due) },
  );
}
