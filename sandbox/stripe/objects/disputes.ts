import type Stripe from 'stripe';

import type { Account } from '../account.ts';
import { invalid, missing } from '../refusal.ts';
import { newId } from '../store.ts';

/** A chargeback: the bank takes the amount, or the whole charge, back for its customer. */
export function createDispute(
  account: Account,
  charge: Stripe.Charge,
  { amount = charge.amount, reason = 'fraudulent' }: { amount?: number; reason?: string },
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
    currency: charge.currency,
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
    status: 'needs_response',
  };
  charge.disputed = true;
  account.store.save(charge);
  account.store.save(dispute);
  account.emit('charge.dispute.created', dispute);
  account.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** The bank's decision. A dispute that is won brings the amount back. */
export function closeDispute(account: Account, id: string, status: 'won' | 'lost') {
  const dispute = findDispute(account, id);
  if (['won', 'lost'].includes(dispute.status)) throw invalid(`Dispute ${id} is closed.`);
  dispute.status = status;
  account.store.save(dispute);
  account.emit('charge.dispute.closed', dispute);
  if (status === 'won') account.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

export function findDispute(account: Account, id: string): Stripe.Dispute {
  const dispute = account.store.find('dispute', id);
  if (!dispute) throw missing('dispute', id, 'dispute');
  return dispute;
}
