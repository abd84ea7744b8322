import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { invalid, missing } from '../refusal.ts';
import { newId, none } from '../store.ts';
import { moveBalance } from './balance_transactions.ts';
import { findCharge } from './charges.ts';
import { findPaymentIntent } from './payment_intents.ts';

/** Refunds an amount of a charge, or all that is left, to the card. */
export function createRefund(
  account: Account,
  parameters: Stripe.RefundCreateParams,
): Stripe.Refund {
  const charge = chargeOf(account, parameters);
  const left = charge.amount - charge.amount_refunded;
  if (charge.disputed) {
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  if (left === 0) {
    const code = 'charge_already_refunded';
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code });
  }
  const amount = parameters.amount ?? left;
  if (amount < 1) throw invalid('Invalid positive integer', { param: 'amount' });
  if (amount > left) {
    throw invalid(
      `Refund amount (${dollars(amount)}) is greater than unrefunded amount on charge ` +
        `(${dollars(left)})`,
      { param: 'amount' },
    );
  }
  const refund: Stripe.Refund = {
    id: newId('re'),
    object: 'refund',
    ...none('balance_transaction', 'customer_account', 'receipt_number'),
    ...none('source_transfer_reversal', 'transfer_reversal'),
    amount,
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    customer: charge.customer,
    destination_details: { type: 'card' },
    metadata: (parameters.metadata as Stripe.Metadata | undefined) ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: parameters.reason ?? null,
    status: 'succeeded',
  };
  charge.amount_refunded += amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  account.store.save(charge);
  account.store.save(refund);
  moveBalance(account, refund, { amount: -amount, type: 'refund', category: 'refund' });
  account.emit('refund.created', refund);
  account.emit('charge.refunded', charge);
  return refund;
}

function chargeOf(account: Account, parameters: Stripe.RefundCreateParams): Stripe.Charge {
  if (parameters.charge) return findCharge(account, parameters.charge, 'charge');
  if (!parameters.payment_intent) {
    throw invalid(
      'One of the following params should be provided for this request: ' +
        'payment_intent or charge.',
    );
  }
  const intent = findPaymentIntent(account, parameters.payment_intent, 'payment_intent');
  if (intent.status === 'succeeded') return findCharge(account, intent.latest_charge as string);
  throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
}

export function findRefund(account: Account, id: string): Stripe.Refund {
  const refund = account.store.find('refund', id);
  if (!refund) throw missing('refund', id, 'refund');
  return refund;
}

const dollars = (cents: number) => `$${(cents / 100).toFixed(2)}`;
