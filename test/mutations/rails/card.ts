import type { Mutation } from '../mutation.ts';

const WEBHOOK = 'api/stripe_webhook.ts';
const SETTLE = 'shared/deposits/card/settle_card_payment.ts';
const STRIPE = 'workers/gateways/stripe/stripe.ts';
const tests = ['test/deposits/stripe_topup.test.ts'];

/** Payments by card. */
export const CARD: readonly Mutation[] = [
  {
    name: 'event_of_long_ago_is_believed',
    file: WEBHOOK,
    from: 'TOLERANCE_SECONDS = 300',
    to: 'TOLERANCE_SECONDS = 3_000',
    tests,
    grep: 'believes no event',
  },
  {
    name: 'event_is_believed_unsigned',
    file: WEBHOOK,
    from: 'Stripe.webhooks.constructEvent(body, signature, secret, TOLERANCE_SECONDS)',
    to: 'JSON.parse(body.toString()) ?? [signature, secret, TOLERANCE_SECONDS]',
    tests,
    grep: 'believes no event',
  },
  {
    name: 'secret_before_the_newest_is_forgotten',
    file: WEBHOOK,
    from: 'for (const secret of secrets)',
    to: 'for (const secret of secrets.slice(0, 1))',
    tests,
    grep: 'believes no event',
  },
  {
    name: 'older_reading_is_believed',
    file: SETTLE,
    from: "if (own.reads !== reads) return 'outdated';",
    to: '',
    tests,
    grep: 'older than one',
  },
  {
    name: 'refund_is_not_taken_back',
    file: STRIPE,
    from: '(charge?.amount_refunded ?? 0) + disputed',
    to: 'disputed',
    tests,
    grep: 'takes back',
  },
  {
    name: 'chargeback_is_not_taken_back',
    file: STRIPE,
    from: '(charge?.amount_refunded ?? 0) + disputed',
    to: 'charge?.amount_refunded ?? disputed',
    tests,
    grep: 'takes back',
  },
  {
    name: 'dispute_that_is_won_stays_taken_back',
    file: STRIPE,
    from: "status !== 'won' && ",
    to: '',
    tests,
    grep: 'takes back',
  },
  {
    name: 'page_is_opened_again_after_a_lost_answer',
    file: STRIPE,
    from: '{ idempotencyKey: `checkout:${cardPaymentId}` }',
    to: '{}',
    tests,
    grep: 'was not heard',
  },
  {
    name: 'fraction_of_a_cent_is_charged',
    file: 'shared/deposits/card/cents.ts',
    from: 'if (micros % MICROS_A_CENT === 0n)',
    to: 'if (micros > 0n)',
    tests,
    grep: 'fractions',
  },
];
