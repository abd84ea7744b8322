import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { missing } from '../refusal.ts';
import { newId, none } from '../store.ts';
import { mergedMetadata } from './lists.ts';

export function createCustomer(
  account: Account,
  parameters: Stripe.CustomerCreateParams,
): Stripe.Customer {
  const customer: Stripe.Customer = {
    id: newId('cus'),
    object: 'customer',
    ...none('address', 'currency', 'default_source', 'discount', 'phone', 'shipping'),
    balance: 0,
    created: account.now(),
    delinquent: false,
    description: parameters.description ?? null,
    email: parameters.email ?? null,
    invoice_settings: {
      ...none('custom_fields', 'default_payment_method', 'footer', 'rendering_options'),
      default_payment_method: parameters.invoice_settings?.default_payment_method ?? null,
    },
    livemode: false,
    metadata: mergedMetadata({}, parameters.metadata),
    name: parameters.name ?? null,
    preferred_locales: [],
    tax_exempt: 'none',
    test_clock: null,
  };
  account.store.save(customer);
  account.emit('customer.created', customer);
  return customer;
}

export function findCustomer(account: Account, id: string, param = 'id'): Stripe.Customer {
  const customer = account.store.find('customer', id);
  if (!customer) throw missing('customer', id, param);
  return customer;
}

export function updateCustomer(
  account: Account,
  id: string,
  parameters: Stripe.CustomerUpdateParams,
): Stripe.Customer {
  const customer = findCustomer(account, id);
  const { description, email, name, metadata, invoice_settings } = parameters;
  Object.assign(customer, {
    ...(description !== undefined && { description: description || null }),
    ...(email !== undefined && { email: email || null }),
    ...(name !== undefined && { name: name || null }),
    metadata: mergedMetadata(customer.metadata, metadata),
  });
  if (invoice_settings?.default_payment_method !== undefined) {
    customer.invoice_settings.default_payment_method =
      invoice_settings.default_payment_method || null;
  }
  account.store.save(customer);
  account.emit('customer.updated', customer);
  return customer;
}
