import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import type { TestCard } from '../cards.ts';
import { invalid, missing } from '../refusal.ts';
import { newId, none, type PaymentPlan } from '../store.ts';
import { confirmPaymentIntent, failAuthentication } from './confirm_payment_intent.ts';
import { createCustomer, findCustomer } from './customers.ts';
import { mergedMetadata } from './lists.ts';
import { assertAmount, findPaymentIntent, newPaymentIntent } from './payment_intents.ts';
import { createPaymentMethod } from './payment_methods.ts';

type Session = Stripe.Checkout.Session;
type Parameters = Stripe.Checkout.SessionCreateParams;

const LIFE_SECONDS = { min: 30 * 60, max: 24 * 3_600 };

export function createSession(account: Account, parameters: Parameters): Session {
  const { mode = '', line_items: items = [], success_url, customer } = parameters;
  if (mode !== 'payment') {
    if (mode) throw invalid('The sandbox has only the mode payment.', { param: 'mode' });
    throw required('mode');
  }
  if (items.length === 0) throw required('line_items');
  if (!success_url) throw required('success_url');
  if (customer) findCustomer(account, customer, 'customer');
  const now = account.now();
  const id = newId('cs_test');
  const amount = totalOf(items);
  const session: Session = {
    id,
    object: 'checkout.session',
    ...none('adaptive_pricing', 'after_expiration', 'allow_promotion_codes', 'client_secret'),
    ...none('billing_address_collection', 'collected_information', 'consent', 'discounts'),
    ...none('consent_collection', 'currency_conversion', 'customer_account', 'invoice'),
    ...none('customer_details', 'integration_identifier', 'invoice_creation', 'payment_link'),
    ...none(
      'managed_payments',
      'origin_context',
      'payment_intent',
      'permissions',
      'recovered_from',
    ),
    ...none('payment_method_configuration_details', 'payment_method_options', 'setup_intent'),
    ...none('saved_payment_method_options', 'shipping_address_collection', 'shipping_cost'),
    ...none('subscription', 'total_details', 'wallet_options'),
    allowed_payment_method_types: parameters.allowed_payment_method_types ?? null,
    amount_subtotal: amount,
    amount_total: amount,
    automatic_tax: { ...none('liability', 'provider', 'status'), enabled: false },
    cancel_url: parameters.cancel_url ?? null,
    client_reference_id: parameters.client_reference_id ?? null,
    created: now,
    currency: 'usd',
    custom_fields: [],
    custom_text: none('after_submit', 'shipping_address', 'submit', 'terms_of_service_acceptance'),
    customer: customer ?? null,
    customer_creation: customer ? null : (parameters.customer_creation ?? 'if_required'),
    customer_email: parameters.customer_email ?? null,
    expires_at: endOf(now, parameters.expires_at),
    livemode: false,
    locale: parameters.locale ?? null,
    metadata: mergedMetadata({}, parameters.metadata),
    mode,
    payment_method_collection: 'if_required',
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    shipping_options: [],
    status: 'open',
    submit_type: parameters.submit_type ?? null,
    success_url,
    ui_mode: parameters.ui_mode ?? 'hosted_page',
    url: `${account.url()}/pay/${id}`,
  };
  const data = parameters.payment_intent_data ?? {};
  const subject = items.map(({ price_data }) => price_data!.product_data!.name).join(', ');
  account.store.save<PaymentPlan>({ id, object: 'plan', subject, data });
  return account.store.save(session);
}

const required = (param: string) =>
  invalid(`Missing required param: ${param}.`, { param, code: 'parameter_missing' });

function totalOf(items: NonNullable<Parameters['line_items']>): number {
  let total = 0;
  for (const [n, { price_data: price, quantity }] of items.entries()) {
    const at = `line_items[${n}]`;
    if (!price) {
      throw invalid('The sandbox knows no prices: give price_data.', {
        param: `${at}[price_data]`,
      });
    }
    if (price.unit_amount === undefined) throw required(`${at}[price_data][unit_amount]`);
    if (!price.product_data) throw required(`${at}[price_data][product_data]`);
    if (quantity === undefined) throw required(`${at}[quantity]`);
    if (price.currency.toLowerCase() !== 'usd') {
      throw invalid(`Invalid currency: ${price.currency}. The sandbox knows only usd.`, {
        param: `${at}[price_data][currency]`,
      });
    }
    total += price.unit_amount * quantity;
  }
  assertAmount(total, "The Checkout Session's total amount must");
  return total;
}

function endOf(now: number, given: number | undefined): number {
  const end = given ?? now + LIFE_SECONDS.max;
  // One second is left for the request itself.
  if (end < now + LIFE_SECONDS.min - 1) {
    throw invalid(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  if (end > now + LIFE_SECONDS.max + 1) {
    throw invalid(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      { param: 'expires_at' },
    );
  }
  return end;
}

export function findSession(account: Account, id: string): Session {
  const session = account.store.find('checkout.session', id);
  if (!session) throw missing('checkout.session', id, 'session');
  if (session.status === 'open' && session.expires_at <= account.now()) expire(account, session);
  return session;
}

export function expireSession(account: Account, id: string): Session {
  const session = findSession(account, id);
  if (session.status === 'open') return expire(account, session);
  throw invalid(
    `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has ` +
      `a status of \`${session.status}\`.`,
  );
}

function expire(account: Account, session: Session): Session {
  Object.assign(session, { status: 'expired', url: null });
  account.store.save(session);
  account.emit('checkout.session.expired', session);
  return session;
}

/**
 * Pays a session with a card: the session is complete, or its payment waits for 3-D Secure
 * (`requires_action`). Throws the error that the page then shows; the session stays open.
 */
export function paySession(account: Account, session: Session, card: TestCard): Session {
  const intent = session.payment_intent
    ? findPaymentIntent(account, session.payment_intent as string)
    : intentOf(account, session);
  const method = createPaymentMethod(account, card);
  const confirmed = confirmPaymentIntent(account, intent.id, {
    payment_method: method.id,
    return_url: session.success_url!,
  });
  return confirmed.status === 'succeeded' ? complete(account, session) : session;
}

function intentOf(account: Account, session: Session): Stripe.PaymentIntent {
  if (!session.customer && session.customer_creation === 'always') {
    const email = session.customer_email;
    session.customer = createCustomer(account, email ? { email } : {}).id;
  }
  const { data } = account.store.find('plan', session.id)!;
  const intent = newPaymentIntent(account, {
    amount: session.amount_total!,
    currency: session.currency!,
    allowed_payment_method_types: ['card'],
    ...(session.customer && { customer: session.customer as string }),
    ...(data.description && { description: data.description }),
    ...(data.metadata && { metadata: data.metadata }),
    ...(data.receipt_email && { receipt_email: data.receipt_email }),
    ...(data.setup_future_usage && { setup_future_usage: data.setup_future_usage }),
  });
  session.payment_intent = intent.id;
  account.store.save(session);
  account.emit('payment_intent.created', intent);
  return intent;
}

/** The payer's answer to 3-D Secure. Throws if the session does not wait for it. */
export function authenticate(account: Account, session: Session, accepts: boolean): string {
  const intent = findPaymentIntent(account, session.payment_intent as string);
  if (intent.status !== 'requires_action') throw invalid('This payment waits for no one.');
  if (!accepts) return failAuthentication(account, intent.id);
  confirmPaymentIntent(account, intent.id, {
    authenticated: true,
    return_url: session.success_url!,
  });
  complete(account, session);
  return '';
}

function complete(account: Account, session: Session): Session {
  const email = session.customer_email;
  Object.assign(session, {
    customer_details: {
      ...none('address', 'business_name', 'individual_name', 'name', 'phone', 'tax_ids'),
      email,
      tax_exempt: 'none',
    },
    payment_status: 'paid',
    status: 'complete',
    url: null,
  });
  account.store.save(session);
  account.emit('checkout.session.completed', session);
  return session;
}
