import type { Caller } from '../../kernel/caller.ts';
import type { Answer, IncomingCall, Receipt } from '../../kernel/call.ts';
import type { Context } from '../context.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import { fromUsd, toUsd, type Micros } from '../../kernel/money.ts';
import type { X402Rail } from '../../domains/x402/settings.ts';
import { dueOf } from '../../domains/x402/terms.ts';
import { countRefusal } from './count_refusal.ts';

/** Whether a call without a key carries a payment, or is answered with its price. */
export const isPaidWithoutKey = (
  op: AnyOperation,
  { token, payment, isForSale }: IncomingCall,
): boolean =>
  token === undefined &&
  op.paid?.soldWithoutKey !== undefined &&
  (payment !== undefined || isForSale === true);

/** Adds to a refusal the x402 payment that would resolve it, if one would. */
export async function withDue(
  context: Context,
  op: AnyOperation,
  { requestId }: { readonly requestId: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  const rail = context.config.x402;
  if (!rail || !op.paid) return work();
  const answer = await work().catch((error: unknown) => {
    if (error instanceof Refusal && error.status === 402) {
      return refused(context, error, requestId);
    }
    throw error;
  });
  return answer.status === 402 ? { ...answer, due: dueIn(answer.body, rail) } : answer;
}

/** Adds the receipt of the payment to the answer of a paid call, also to a refusal. */
export async function withReceipt(
  context: Context,
  receipt: Receipt | undefined,
  { requestId }: { readonly requestId: string },
  work: () => Promise<Answer>,
): Promise<Answer> {
  if (!receipt) return work();
  const answer = await work().catch((error: unknown) => {
    if (error instanceof Refusal) return refused(context, error, requestId);
    throw error;
  });
  if (answer.status < 400) return { ...answer, receipt };
  const { transaction, payer, amount } = receipt;
  const payment = { in_wallet: true, amount: toUsd(amount), payer, transaction };
  const body = JSON.stringify({ ...(JSON.parse(answer.body) as object), payment });
  return { ...answer, body, receipt };
}

/** Adds the bought item to the answer: a payer without a key cannot open the vault. */
export async function withGoods<C extends { readonly caller: Caller }>(
  { operations }: Pick<Context, 'operations'>,
  op: AnyOperation,
  call: C,
  perform: (op: AnyOperation, call: C) => Promise<Answer>,
): Promise<Answer> {
  const answer = await perform(op, call);
  const deliveredBy = op.paid?.soldWithoutKey?.deliveredBy;
  if (!deliveredBy || call.caller.payer === undefined || answer.status !== 200) return answer;
  const result = JSON.parse(answer.body) as object;
  const { operation, input } = deliveredBy(result);
  try {
    const { body } = await perform(operations.get(operation)!, { ...call, key: undefined, input });
    return { ...answer, body: JSON.stringify({ ...result, ...(JSON.parse(body) as object) }) };
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return answer; // The order was refunded meanwhile.
  }
}

function refused(context: Context, refusal: Refusal, requestId: string): Answer {
  countRefusal(refusal.code);
  const { httpStatus: status, answer: body } = context.refusalAnswer('', refusal, requestId);
  return { status, body };
}

/** The missing amount; undefined: no money is missing, or more than one payment may be. */
function dueIn(body: string, { max }: X402Rail): Micros | undefined {
  const { details } = JSON.parse(body) as {
    details?: { missing?: number; amount_due?: number };
  };
  const missing = details?.missing ?? details?.amount_due;
  const due = missing === undefined ? undefined : dueOf(fromUsd(missing));
  return due !== undefined && due <= max ? due : undefined;
}
