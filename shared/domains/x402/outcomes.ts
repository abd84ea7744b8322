import { Refusal } from '../../kernel/refusal.ts';

/** The part of a payment that its refusals name. */
interface Refused {
  readonly valid_before: Date;
}

// Refusals of payments that were not settled. `charged` has three values: false only
// with a proof (nobody but us has had the authorization, or its time is over and its nonce unused),
// null as long as it may still get to the chain. Terms of another payment come with false alone.

/** The payment was not needed: its call had been made before. */
export const ANSWERED = 'answered';
/** It was on the chain before it was sent with a call, so anybody could have read it there. */
export const USED_BEFORE = 'used_before';
/** The chain would refuse it, because its nonce is used; in the word of the protocol. */
export const NONCE_USED = 'invalid_exact_evm_nonce_already_used';
/** No facilitator answered, or the one that was told to settle it gave no valid answer. */
export const FACILITATOR_UNAVAILABLE = 'facilitator_unavailable';
/** Its payer has taken it back on the chain. */
export const CANCELLED = 'cancelled';

/** The refusal of a payment that can no more get to the chain, or was given to nobody. */
export const notTaken = ({ valid_before }: Refused, reason: string): Refusal =>
  new Refusal(
    'payment_failed',
    `The payment was not settled (${reason}), so nothing was charged and the call was not made.`,
    { reason, charged: false, valid_before: valid_before.toISOString() },
  );

export const notKnown = ({ valid_before }: Refused, reason: string): Refusal =>
  new Refusal(
    'payment_failed',
    `Whether the payment will be settled is not known yet (${reason}), and the call was not made.` +
      ' Repeat it with the same payment: it is taken once. If it is settled later, it is credited ' +
      'to the wallet; if it is not by its valid_before, the repeat says so and asks for another.',
    { reason, charged: null, valid_before: valid_before.toISOString() },
  );

export const usedBefore = (): Refusal =>
  new Refusal(
    'payment_failed',
    'The payment was on the chain before it was sent with a call. Whoever reads the chain could ' +
      'have sent it, so it pays for nothing. If you made it, list_deposits of who linked its wallet ' +
      'shows it, or ask the operators to give it back.',
    { reason: USED_BEFORE, charged: null },
  );
