import type { Mutation } from '../../mutation.ts';

const TAKEN = 'workers/gateways/stripe/taken_back.ts';
const RECONCILE = 'shared/domains/deposits/card/reconcile_card_payments.ts';
const disputes = ['test/deposits/card_disputes.test.ts'];

/** Disputes of payments by card, and how they are found. */
export const CARD_DISPUTES: readonly Mutation[] = [
  {
    name: 'dispute_that_was_prevented_takes_money',
    file: TAKEN,
    from: "!['won', 'prevented'].includes(status)",
    to: "!['won'].includes(status)",
    tests: disputes,
    grep: 'prevented',
  },
  {
    name: 'inquiry_takes_money',
    file: TAKEN,
    from: "&& !status.startsWith('warning_')",
    to: '',
    tests: disputes,
    grep: 'as inquiries',
  },
  {
    name: 'yen_of_a_dispute_count_as_cents',
    file: TAKEN,
    from: 'if (dispute.currency === currency) return dispute.amount;',
    to: "if (dispute.currency !== '') return dispute.amount;",
    tests: disputes,
    grep: 'currency of the card',
  },
  {
    name: 'lost_event_of_an_old_payment_is_not_looked_for',
    file: RECONCILE,
    from: '...changes.payments.filter(isOwn)',
    to: '',
    tests: disputes,
    grep: 'event was lost',
  },
  {
    name: 'old_dispute_is_found_by_its_event_alone',
    file: TAKEN,
    from: 'for (const type of MOVEMENTS) {',
    to: 'for (const type of MOVEMENTS.slice(4)) {',
    tests: disputes,
    grep: 'no event of it',
  },
];
