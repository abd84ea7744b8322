import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { cardOfToken, type CardBehaviour, type TestCard } from '../cards.ts';
import { invalid, missing, StripeRefusal } from '../refusal.ts';
import { newId, none, type SavedCard } from '../store.ts';
import { findCustomer } from './customers.ts';

export function createPaymentMethod(account: Account, card: TestCard): Stripe.PaymentMethod {
  const { brand, last4, declined, asks, disputed } = card;
  const created = account.now();
  const method: Stripe.PaymentMethod = {
    id: newId('pm'),
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: none('address', 'email', 'name', 'phone', 'tax_id'),
    card: {
      ...none('checks', 'generated_from', 'networks', 'three_d_secure_usage', 'wallet'),
      brand,
      country: 'US',
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date().getUTCFullYear() + 3,
      funding: 'credit',
      last4,
      regulated_status: 'unregulated',
    },
    created,
    ...none('customer', 'customer_account'),
    livemode: false,
    metadata: {},
    type: 'card',
  };
  const behaviour: CardBehaviour = {
    brand,
    last4,
    ...(declined && { declined }),
    ...(asks && { asks }),
    ...(disputed && { disputed }),
  };
  account.store.save<SavedCard>({ id: method.id, object: 'card', ...behaviour });
  return account.store.save(method);
}

/** A payment method, or one made from the name of a test card such as pm_card_visa. */
export function findPaymentMethod(account: Account, id: string, param = 'id') {
  if (id.startsWith('pm_card_')) return createPaymentMethod(account, cardOfToken(id));
  const method = account.store.find('payment_method', id);
  if (!method) throw missing('PaymentMethod', id, param);
  return method;
}

export const cardOf = (account: Account, { id }: Stripe.PaymentMethod) =>
  account.store.find('card', id)!;

export function attachPaymentMethod(
  account: Account,
  id: string,
  { customer }: Stripe.PaymentMethodAttachParams,
): Stripe.PaymentMethod {
  if (customer === undefined) {
    throw invalid('Missing required param: customer.', {
      param: 'customer',
      code: 'parameter_missing',
    });
  }
  findCustomer(account, customer, 'customer');
  const method = findPaymentMethod(account, id);
  if (method.customer && method.customer !== customer) {
    throw invalid('The payment method you provided has already been attached to a customer.', {
      code: 'payment_method_unexpected_state',
    });
  }
  const { declined } = cardOf(account, method);
  if (declined?.when === 'always') {
    throw new StripeRefusal(402, {
      type: 'card_error',
      code: 'card_declined',
      decline_code: declined.as,
      message: 'Your card was declined.',
    });
  }
  method.customer = customer;
  account.store.save(method);
  account.emit('payment_method.attached', method);
  return method;
}

export function detachPaymentMethod(account: Account, id: string): Stripe.PaymentMethod {
  const method = findPaymentMethod(account, id);
  if (!method.customer) {
    throw invalid(
      'The payment method you provided is not attached to a customer so detachment is impossible.',
      { code: 'payment_method_unexpected_state' },
    );
  }
  method.customer = null;
  account.store.save(method);
  account.emit('payment_method.detached', method);
  return method;
}
