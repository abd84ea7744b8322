import type { ValidCall } from '../../jobs/accept.ts';
import { isSameCall } from '../../jobs/same_call.ts';
import type { Context } from '../../composition/context.ts';
import type { AnyOperation } from '../../kernel/operation.ts';
import { Refusal } from '../../kernel/refusal.ts';
import type { Payment } from './payment.ts';
import { isSameAsSent, type PaymentRow } from './payments.ts';

/** The answer to a call may be asked for again with its payment for so long. */
const REPEATED_MS_MAX = 24 * 3_600_000;

const ORIGIN = 'x402 origin';

type Parts = Pick<Context, 'secrets' | 'clock'>;

/** Where a payment came from, as it is stored. */
export const originOf = (
  { secrets }: Pick<Parts, 'secrets'>,
  { address = '' }: ValidCall,
): Buffer => secrets.hash(ORIGIN, address).hash;

/**
 * Refuses a payment that was sent before, unless its sender repeats the same call with it, byte for
 * byte. Everything in a settled payment stands on the chain, so it proves nobody: what proves its
 * sender is the key of an agent, or else the Idempotency-Key that came with the first call, or
 * where there was none, the address that it came from.
 */
export function assertRepeats(
  parts: Parts,
  op: AnyOperation,
  { call, payment, recorded }: { call: ValidCall; payment: Payment; recorded: PaymentRow },
): void {
  const { secrets, clock } = parts;
  const { caller, input } = call;
  const isSame =
    isSameAsSent(recorded, payment) &&
    recorded.operation === op.name &&
    (recorded.agent_id ?? 0) === caller.agentId &&
    isSameCall(secrets, recorded.input_hash, { op, input }) &&
    (recorded.agent_id !== null || isOfItsSender(parts, call, recorded));
  const age = clock.now().getTime() - recorded.created_at.getTime();
  if (isSame && (recorded.status === 'open' || age < REPEATED_MS_MAX)) return;
  throw new Refusal(
    'payment_used',
    'This payment was sent before: with another call, more than a day ago, with an ' +
      'Idempotency-Key that is missing now, or from another address. Nothing was charged now: ' +
      'repeat the first call as it was, or sign a new payment.',
    { charged: false },
  );
}

function isOfItsSender(
  { secrets }: Parts,
  { key, address }: ValidCall,
  { call_key, origin }: PaymentRow,
): boolean {
  if (call_key !== null) return key === call_key;
  return origin !== null && address !== undefined && secrets.isHashOf(origin, ORIGIN, address);
}

/** The key that the call of a payment is made once by, whatever key its repeats bring. */
export function keyOfPaid({ call_key, origin, network, payer, nonce }: PaymentRow, sent?: string) {
  // A row of the release before has neither: its call was made by the key that was sent.
  const first = origin === null ? sent : call_key;
  return first ?? `x402:${network}:${payer}:${nonce}`;
}
