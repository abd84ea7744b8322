import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { invalid, missing } from '../refusal.ts';
import { newId } from '../store.ts';
import { moveBalance } from './balance_transactions.ts';

/** A chargeback: the bank takes the amount, or the whole charge, back for its customer. */
export function createDispute(
  account: Account,
  charge: Stripe.Charge,
  { amount = charge.amount, reason = 'fraudulent', status = 'needs_response', currency }: Begun,
): Stripe.Dispute {
  if (!charge.paid) throw invalid(`Charge ${charge.id} was not paid.`);
  if (charge.disputed) throw invalid(`Charge ${charge.id} is disputed already.`);
  const dispute: Stripe.Dispute = {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: charge.id,
    created: account.now(),
    currency: currency ?? charge.currency,
    enhanced_eligibility_types: [],
    evidence: {} as Stripe.Dispute.Evidence,
    evidence_details: {
      due_by: account.now() + 7 * 86_400,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    } as Stripe.Dispute.EvidenceDetails,
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason,
    status,
  };
  charge.disputed = true;
  account.store.save(charge);
  account.store.save(dispute);
  account.emit('charge.dispute.created', dispute);
  if (status === 'needs_response') withdraw(account, dispute, charge.amount);
  return dispute;
}

/** How a dispute begins: as an inquiry it takes nothing; one that is prevented never will. */
export interface Begun {
  readonly amount?: number;
  readonly reason?: string;
  readonly status?: 'needs_response' | 'warning_needs_response' | 'prevented';
  /** Currency of the card, if it is another. The balance is in dollars all the same. */
  readonly currency?: string;
}

/** A status that a dispute can get next. */
export type DisputeStep =
  'won' | 'lost' | 'warning_closed' | 'needs_response' | 'appeal_under_review';

/**
 * The next status of a dispute. One that is won brings the amount back, also after an appeal; an
 * inquiry that becomes a chargeback takes it.
 */
export function closeDispute(account: Account, id: string, status: DisputeStep): Stripe.Dispute {
  const dispute = findDispute(account, id);
  const isAppealed = status === 'appeal_under_review';
  if (['won', 'lost'].includes(dispute.status) && !isAppealed) {
    throw invalid(`Dispute ${id} is closed.`);
  }
  const charge = account.store.find('charge', dispute.charge as string)!;
  dispute.status = status;
  account.store.save(dispute);
  const isClosed = ['won', 'lost', 'warning_closed'].includes(status);
  account.emit(`charge.dispute.${isClosed ? 'closed' : 'updated'}`, dispute);
  if (status === 'needs_response') withdraw(account, dispute, charge.amount);
  if (status === 'won') {
    const amount = taken(dispute, charge.amount);
    note(account, dispute, { amount, category: 'dispute_reversal' });
    account.emit('charge.dispute.funds_reinstated', dispute);
  }
  return dispute;
}

function withdraw(account: Account, dispute: Stripe.Dispute, charged: number): void {
  note(account, dispute, { amount: -taken(dispute, charged), category: 'dispute' });
  account.emit('charge.dispute.funds_withdrawn', dispute);
}

/** Amount that leaves the balance: all of the charge where the dispute is in another currency. */
const taken = ({ currency, amount }: Stripe.Dispute, charged: number): number =>
  currency === 'usd' ? amount : charged;

function note(
  account: Account,
  dispute: Stripe.Dispute,
  { amount, category }: { amount: number; category: string },
): void {
  const moved = moveBalance(account, dispute, { amount, type: 'adjustment', category });
  dispute.balance_transactions.push(moved);
  account.store.save(dispute);
}

export function findDispute(account: Account, id: string): Stripe.Dispute {
  const dispute = account.store.find('dispute', id);
  if (!dispute) throw missing('dispute', id, 'dispute');
  return dispute;
}
