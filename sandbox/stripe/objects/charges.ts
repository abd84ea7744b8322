import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import type { DeclineCode } from '../cards.ts';
import { missing } from '../refusal.ts';
import { newId, none } from '../store.ts';

/** One attempt to charge a card for a payment; it was declined for `failure`. */
export function createCharge(
  account: Account,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  failure?: { readonly code: string; readonly message: string; readonly as: DeclineCode },
): Stripe.Charge {
  const paid = !failure;
  const charge: Stripe.Charge = {
    id: newId('ch'),
    object: 'charge',
    ...none('application', 'application_fee', 'application_fee_amount', 'balance_transaction'),
    ...none('failure_balance_transaction', 'fraud_details', 'on_behalf_of', 'receipt_email'),
    ...none('receipt_number', 'receipt_url', 'review', 'shipping', 'source', 'source_transfer'),
    ...none('statement_descriptor', 'statement_descriptor_suffix', 'transfer_data'),
    ...none('transfer_group'),
    amount: intent.amount,
    amount_captured: paid ? intent.amount : 0,
    amount_refunded: 0,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured: paid,
    created: account.now(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    livemode: false,
    metadata: { ...intent.metadata },
    outcome: outcomeOf(failure?.as),
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: {
      type: 'card',
      card: { brand: method.card!.brand, last4: method.card!.last4 },
    } as Stripe.Charge.PaymentMethodDetails,
    refunded: false,
    status: paid ? 'succeeded' : 'failed',
  };
  return account.store.save(charge);
}

function outcomeOf(declined: DeclineCode | undefined): Stripe.Charge.Outcome {
  return {
    ...none('advice_code', 'network_advice_code', 'network_decline_code'),
    network_status: declined ? 'declined_by_network' : 'approved_by_network',
    reason: declined ?? null,
    risk_level: 'normal',
    seller_message: declined
      ? 'The bank did not return any further details with this decline.'
      : 'Payment complete.',
    type: declined ? 'issuer_declined' : 'authorized',
  };
}

export function findCharge(account: Account, id: string, param = 'id'): Stripe.Charge {
  const charge = account.store.find('charge', id);
  if (!charge) throw missing('charge', id, param);
  return charge;
}

/** All attempts of a payment, oldest first. */
export const chargesOf = (account: Account, intentId: string) =>
  account.store.all('charge').filter(({ payment_intent }) => payment_intent === intentId);
