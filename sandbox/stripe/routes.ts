import type Stripe from 'stripe';

import type { Account } from './account.ts';
import type { FormFields } from './form.ts';
import { findCharge } from './objects/charges.ts';
import { createSession, expireSession, findSession } from './objects/checkout_sessions.ts';
import { confirmPaymentIntent, createPaymentIntent } from './objects/confirm_payment_intent.ts';
import { createCustomer, findCustomer, updateCustomer } from './objects/customers.ts';
import { closeDispute, findDispute } from './objects/disputes.ts';
import { listOf, type Paging } from './objects/lists.ts';
import { cancelPaymentIntent, findPaymentIntent } from './objects/payment_intents.ts';
import {
  attachPaymentMethod,
  detachPaymentMethod,
  findPaymentMethod,
} from './objects/payment_methods.ts';
import { createRefund, findRefund } from './objects/refunds.ts';
import { parametersOf } from './parameters.ts';
import { missing, StripeRefusal } from './refusal.ts';
import type { Kind } from './store.ts';

type Handler = (account: Account, fields: FormFields, id: string) => object;

/** A request whose parameters have the schema `name`. */
const post =
  <T>(name: string, handle: (account: Account, parameters: T, id: string) => object): Handler =>
  (account, fields, id) =>
    handle(account, parametersOf<T>(name, fields), id);

/** A list, filtered by the given fields. */
const list =
  (name: string, kind: Kind, url: string, filters: readonly string[] = []): Handler =>
  (account, fields) => {
    const parameters = parametersOf<Paging & Record<string, unknown>>(name, fields);
    const wanted = filters.filter((field) => parameters[field] !== undefined);
    return listOf(account, kind, url, parameters, (object) =>
      wanted.every((field) => object[field as keyof typeof object] === parameters[field]),
    );
  };

/** `:id` is one segment of a path. */
const ROUTES: Readonly<Record<string, Handler>> = {
  'POST /v1/customers': post('CustomerCreate', createCustomer),
  'GET /v1/customers': list('CustomerList', 'customer', '/v1/customers', ['email']),
  'GET /v1/customers/:id': (account, _, id) => findCustomer(account, id),
  'POST /v1/customers/:id': post<Stripe.CustomerUpdateParams>(
    'CustomerUpdate',
    (account, parameters, id) => updateCustomer(account, id, parameters),
  ),
  'GET /v1/customers/:id/payment_methods': (account, fields, id) =>
    paymentMethods(account, { ...fields, customer: id }),

  'GET /v1/payment_methods': paymentMethods,
  'GET /v1/payment_methods/:id': (account, _, id) => findPaymentMethod(account, id),
  'POST /v1/payment_methods/:id/attach': post<Stripe.PaymentMethodAttachParams>(
    'PaymentMethodAttach',
    (account, parameters, id) => attachPaymentMethod(account, id, parameters),
  ),
  'POST /v1/payment_methods/:id/detach': (account, _, id) => detachPaymentMethod(account, id),

  'POST /v1/checkout/sessions': post('SessionCreate', createSession),
  'GET /v1/checkout/sessions': list('SessionList', 'checkout.session', '/v1/checkout/sessions', [
    'customer',
    'payment_intent',
    'status',
  ]),
  'GET /v1/checkout/sessions/:id': (account, _, id) => findSession(account, id),
  'POST /v1/checkout/sessions/:id/expire': (account, _, id) => expireSession(account, id),

  'POST /v1/payment_intents': post('PaymentIntentCreate', createPaymentIntent),
  'GET /v1/payment_intents': list('PaymentIntentList', 'payment_intent', '/v1/payment_intents', [
    'customer',
  ]),
  'GET /v1/payment_intents/:id': (account, _, id) => findPaymentIntent(account, id),
  'POST /v1/payment_intents/:id/confirm': post<Stripe.PaymentIntentConfirmParams>(
    'PaymentIntentConfirm',
    (account, parameters, id) => confirmPaymentIntent(account, id, parameters),
  ),
  'POST /v1/payment_intents/:id/cancel': post<Stripe.PaymentIntentCancelParams>(
    'PaymentIntentCancel',
    (account, parameters, id) => cancelPaymentIntent(account, id, parameters),
  ),

  'GET /v1/charges': list('ChargeList', 'charge', '/v1/charges', ['customer', 'payment_intent']),
  'GET /v1/charges/:id': (account, _, id) => findCharge(account, id),

  'POST /v1/refunds': post('RefundCreate', createRefund),
  'GET /v1/refunds': list('RefundList', 'refund', '/v1/refunds', ['charge', 'payment_intent']),
  'GET /v1/refunds/:id': (account, _, id) => findRefund(account, id),

  'GET /v1/disputes': list('DisputeList', 'dispute', '/v1/disputes', ['charge', 'payment_intent']),
  'GET /v1/disputes/:id': (account, _, id) => findDispute(account, id),
  'POST /v1/disputes/:id/close': (account, _, id) => closeDispute(account, id, 'lost'),

  'GET /v1/balance_transactions': list(
    'BalanceTransactionList',
    'balance_transaction',
    '/v1/balance_transactions',
    ['type', 'source'],
  ),

  'GET /v1/events': (account, fields) => {
    const { type, types, ...paging } = parametersOf<Stripe.EventListParams>('EventList', fields);
    return listOf(account, 'event', '/v1/events', paging, (event) => {
      const isWanted = (wanted: string) =>
        wanted.endsWith('*') ? event.type.startsWith(wanted.slice(0, -1)) : event.type === wanted;
      return type ? isWanted(type) : !types || types.some(isWanted);
    });
  },
  'GET /v1/events/:id': (account, _, id) => {
    const event = account.store.find('event', id);
    if (!event) throw missing('event', id);
    return event;
  },
};

function paymentMethods(account: Account, fields: FormFields): object {
  const filter = list('PaymentMethodList', 'payment_method', '/v1/payment_methods', [
    'customer',
    'type',
  ]);
  return filter(account, fields, '');
}

/** Throws Stripe's error for an unknown path. */
export function routeOf(method: string, path: string): { handle: Handler; id: string } {
  const exact = ROUTES[`${method} ${path}`];
  if (exact) return { handle: exact, id: '' };
  const [, version, ...steps] = path.split('/');
  for (const [n, id] of steps.entries()) {
    const pattern = ['', version, ...steps.with(n, ':id')].join('/');
    const handle = ROUTES[`${method} ${pattern}`];
    if (handle) return { handle, id: decodeURIComponent(id) };
  }
  throw new StripeRefusal(404, {
    type: 'invalid_request_error',
    message:
      `Unrecognized request URL (${method}: ${path}). If you are trying to list objects, remove ` +
      'the trailing slash. If you are trying to retrieve an object, make sure you passed a valid ' +
      '(non-empty) identifier in your code.',
  });
}
