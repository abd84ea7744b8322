import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { newId } from '../store.ts';

/** Records what moved on the balance of the account: a refund, or what a dispute took or gave. */
export function moveBalance(
  account: Account,
  source: Stripe.Dispute | Stripe.Refund,
  { amount, type, category }: { amount: number; type: 'adjustment' | 'refund'; category: string },
): Stripe.BalanceTransaction {
  return account.store.save<Stripe.BalanceTransaction>({
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: account.now(),
    balance_type: 'payments',
    created: account.now(),
    currency: 'usd',
    description: null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: amount,
    reporting_category: category,
    source: source.id,
    status: 'available',
    type,
  });
}
