import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { DECLINES, type DeclineCode } from '../cards.ts';
import { invalid, StripeRefusal } from '../refusal.ts';
import { createCharge } from './charges.ts';
import { findCustomer } from './customers.ts';
import { createDispute } from './disputes.ts';
import {
  assertAmount,
  CONFIRMABLE,
  findPaymentIntent,
  newPaymentIntent,
  unexpectedState,
} from './payment_intents.ts';
import { cardOf, findPaymentMethod } from './payment_methods.ts';

/** Creates the payment of a request; `confirm: true` charges it at once. */
export function createPaymentIntent(
  account: Account,
  parameters: Stripe.PaymentIntentCreateParams,
): Stripe.PaymentIntent {
  const { amount, confirm, off_session } = parameters;
  if (amount < 1) {
    const code = 'parameter_invalid_integer';
    throw invalid('This value must be greater than or equal to 1.', { param: 'amount', code });
  }
  assertAmount(amount, 'Amount must');
  if (off_session && !confirm) {
    throw invalid('You cannot set `off_session` when `confirm` is not `true`.', {
      param: 'off_session',
    });
  }
  if (parameters.customer) findCustomer(account, parameters.customer, 'customer');
  const intent = newPaymentIntent(account, parameters);
  account.emit('payment_intent.created', intent);
  if (!confirm) return intent;
  return confirmPaymentIntent(account, intent.id, {
    ...(off_session !== undefined && { off_session }),
    ...(parameters.return_url && { return_url: parameters.return_url }),
  });
}

/** Charges a payment: it succeeds, waits for 3-D Secure, or fails with Stripe's error. */
export function confirmPaymentIntent(
  account: Account,
  id: string,
  parameters: Stripe.PaymentIntentConfirmParams & { readonly authenticated?: true },
): Stripe.PaymentIntent {
  const intent = findPaymentIntent(account, id);
  if (!CONFIRMABLE.includes(intent.status)) throw unexpectedState('confirm', intent);
  const method = methodOf(account, intent, parameters);
  const card = cardOf(account, method);
  const isSaved = method.customer !== null;
  if (card.declined && (card.declined.when === 'always' || isSaved)) {
    throw declined(account, intent, method, card.declined.as);
  }
  const asks = card.asks === 'always' || (card.asks === 'until saved' && !isSaved);
  if (asks && !parameters.authenticated) {
    const refuses = parameters.off_session || parameters.error_on_requires_action;
    if (refuses) throw declined(account, intent, method, 'authentication_required');
    return requireAction(account, intent, parameters.return_url);
  }
  return succeed(account, intent, method);
}

function methodOf(
  account: Account,
  intent: Stripe.PaymentIntent,
  { payment_method, off_session, return_url }: Stripe.PaymentIntentConfirmParams,
): Stripe.PaymentMethod {
  const named = payment_method ?? intent.payment_method;
  if (!named) {
    throw invalid(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can " +
        'either update the PaymentIntent with a payment method and then confirm it again, or ' +
        'confirm it again directly with a payment method or ConfirmationToken.',
      { code: 'payment_intent_unexpected_state' },
    );
  }
  if (intent.automatic_payment_methods?.allow_redirects === 'always' && !return_url) {
    throw invalid(
      'This PaymentIntent is configured to accept payment methods enabled in your Dashboard. ' +
        'Because some of these payment methods might redirect your customer off of your page, ' +
        "you must provide a `return_url`. If you don't want to accept redirect-based payment " +
        'methods, set `automatic_payment_methods[enabled]` to `true` and ' +
        '`automatic_payment_methods[allow_redirects]` to `never` when creating Setup Intents ' +
        'and Payment Intents.',
    );
  }
  const method = findPaymentMethod(account, named as string, 'payment_method');
  if (method.customer && method.customer !== intent.customer) {
    throw invalid(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer ' +
        'attachment, shared with a connected account without Customer attachment, or was ' +
        `attached to another Customer. It may not be used again. To use a PaymentMethod ` +
        'multiple times, you must attach it to a Customer first.',
    );
  }
  if (off_session && !method.customer) {
    throw invalid('off_session payments need a PaymentMethod that is attached to the Customer.', {
      param: 'payment_method',
    });
  }
  intent.payment_method = method.id;
  return method;
}

function requireAction(account: Account, intent: Stripe.PaymentIntent, returnUrl?: string) {
  Object.assign(intent, {
    status: 'requires_action',
    next_action: {
      type: 'redirect_to_url',
      redirect_to_url: { url: null, return_url: returnUrl ?? null },
    },
  });
  account.store.save(intent);
  account.emit('payment_intent.requires_action', intent);
  return intent;
}

function succeed(account: Account, intent: Stripe.PaymentIntent, method: Stripe.PaymentMethod) {
  const charge = createCharge(account, intent, method);
  Object.assign(intent, {
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'succeeded',
  });
  account.store.save(intent);
  if (intent.setup_future_usage && intent.customer && !method.customer) {
    method.customer = intent.customer as string;
    account.store.save(method);
    account.emit('payment_method.attached', method);
  }
  account.emit('charge.succeeded', charge);
  account.emit('payment_intent.succeeded', intent);
  if (cardOf(account, method).disputed) createDispute(account, charge, {});
  return intent;
}

/** Keeps the failed charge; the payment waits for another payment method. */
function declined(
  account: Account,
  intent: Stripe.PaymentIntent,
  method: Stripe.PaymentMethod,
  as: DeclineCode,
): StripeRefusal {
  const [code, message] = DECLINES[as];
  const charge = createCharge(account, intent, method, { code, message, as });
  const error = { type: 'card_error', code, decline_code: as, message, charge: charge.id } as const;
  const last = { ...error, payment_method: structuredClone(method) };
  Object.assign(intent, {
    last_payment_error: last,
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  account.store.save(intent);
  account.emit('charge.failed', charge);
  account.emit('payment_intent.payment_failed', intent);
  return new StripeRefusal(402, {
    ...error,
    payment_intent: structuredClone(intent),
    payment_method: structuredClone(method),
  });
}

/** Fails a payment because the payer did not pass 3-D Secure. */
export function failAuthentication(account: Account, id: string): string {
  const intent = findPaymentIntent(account, id);
  const message =
    'We are unable to authenticate your payment method. Please choose a different payment ' +
    'method and try again.';
  Object.assign(intent, {
    last_payment_error: {
      type: 'invalid_request_error',
      code: 'payment_intent_authentication_failure',
      message,
      payment_method: findPaymentMethod(account, intent.payment_method as string),
    },
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
  account.store.save(intent);
  account.emit('payment_intent.payment_failed', intent);
  return message;
}
