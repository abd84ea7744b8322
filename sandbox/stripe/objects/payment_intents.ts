import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { invalid, missing, StripeRefusal } from '../refusal.ts';
import { newId, none } from '../store.ts';
import { mergedMetadata } from './lists.ts';

type CreateParameters = Stripe.PaymentIntentCreateParams;

/** In cents: $0.50 and $999,999.99. */
const AMOUNT = { min: 50, max: 99_999_999 };

/** Both bounds are Stripe's for dollars, its only currency here. */
export function assertAmount(amount: number, subject: string): void {
  if (amount < AMOUNT.min) {
    const code = 'amount_too_small';
    throw invalid(`${subject} be at least $0.50 usd`, { param: 'amount', code });
  }
  if (amount > AMOUNT.max) {
    const code = 'amount_too_large';
    throw invalid(`${subject} be no more than $999,999.99`, { param: 'amount', code });
  }
}

export function newPaymentIntent(
  account: Account,
  parameters: Omit<CreateParameters, 'confirm' | 'off_session'>,
): Stripe.PaymentIntent {
  const { currency, allowed_payment_method_types: allowed } = parameters;
  if (currency.toLowerCase() !== 'usd') {
    throw invalid(`Invalid currency: ${currency}. The sandbox knows only usd.`, {
      param: 'currency',
    });
  }
  const id = newId('pi');
  const intent: Stripe.PaymentIntent = {
    id,
    object: 'payment_intent',
    ...none('application', 'application_fee_amount', 'canceled_at', 'cancellation_reason'),
    ...none('customer_account', 'excluded_payment_method_types', 'last_payment_error'),
    ...none('latest_charge', 'managed_payments', 'next_action', 'on_behalf_of'),
    ...none('payment_method_configuration_details', 'payment_method_options', 'payment_record'),
    ...none('processing', 'review', 'shipping', 'source', 'statement_descriptor'),
    ...none('transfer_group'),
    allowed_payment_method_types: allowed ?? null,
    amount: parameters.amount,
    amount_capturable: 0,
    amount_received: 0,
    automatic_payment_methods: allowed
      ? null
      : (parameters.automatic_payment_methods ?? { enabled: true, allow_redirects: 'always' }),
    capture_method: parameters.capture_method ?? 'automatic_async',
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: account.now(),
    currency: 'usd',
    customer: parameters.customer ?? null,
    description: parameters.description ?? null,
    livemode: false,
    metadata: mergedMetadata({}, parameters.metadata),
    payment_method: parameters.payment_method ?? null,
    payment_method_types: ['card'],
    receipt_email: parameters.receipt_email ?? null,
    setup_future_usage: parameters.setup_future_usage ?? null,
    statement_descriptor_suffix: parameters.statement_descriptor_suffix ?? null,
    status: parameters.payment_method ? 'requires_confirmation' : 'requires_payment_method',
  };
  return account.store.save(intent);
}

export function findPaymentIntent(account: Account, id: string, param = 'intent') {
  const intent = account.store.find('payment_intent', id);
  if (!intent) throw missing('payment_intent', id, param);
  return intent;
}

export const CONFIRMABLE = ['requires_confirmation', 'requires_payment_method', 'requires_action'];

export function cancelPaymentIntent(
  account: Account,
  id: string,
  { cancellation_reason }: Stripe.PaymentIntentCancelParams,
): Stripe.PaymentIntent {
  const intent = findPaymentIntent(account, id);
  if (!CONFIRMABLE.includes(intent.status)) throw unexpectedState('cancel', intent);
  Object.assign(intent, {
    canceled_at: account.now(),
    cancellation_reason: cancellation_reason ?? null,
    next_action: null,
    status: 'canceled',
  });
  account.store.save(intent);
  account.emit('payment_intent.canceled', intent);
  return intent;
}

/** The payment is in a status in which it cannot be `verb`ed. */
export function unexpectedState(verb: string, intent: Stripe.PaymentIntent): StripeRefusal {
  return new StripeRefusal(400, {
    type: 'invalid_request_error',
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${verb} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: structuredClone(intent),
  });
}
