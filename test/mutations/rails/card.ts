import type { Mutation } from '../mutation.ts';

const WEBHOOK = 'api/stripe_webhook.ts';
const SETTLE = 'shared/deposits/card/settle_card_payment.ts';
const STRIPE = 'workers/gateways/stripe/stripe.ts';
const RECHARGE = 'shared/deposits/card/recharge_wallets.ts';
const RECONCILE = 'shared/deposits/card/reconcile_card_payments.ts';
const END = 'shared/deposits/card/recharge_end.ts';
const recharges = ['test/deposits/auto_recharge.test.ts'];
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
  {
    name: 'recharge_beyond_the_limit_of_the_month',
    file: RECHARGE,
    from: "and ${chargedBy('a.root_id')} + a.amount <= a.monthly_limit",
    to: '',
    tests: recharges,
    grep: 'limit of the month',
  },
  {
    name: 'recharge_while_one_is_in_flight_or_too_soon',
    file: RECHARGE,
    from: 'and a.not_before <= now()',
    to: '',
    tests: recharges,
    grep: 'three charges in a row',
  },
  {
    name: 'recharge_has_a_new_key_each_time',
    file: STRIPE,
    from: '{ idempotencyKey: `recharge:${cardPaymentId}` }',
    to: '{ idempotencyKey: `recharge:${cardPaymentId}:${Math.random()}` }',
    tests: recharges,
    grep: 'answer of Stripe is lost',
  },
  {
    name: 'recharge_of_long_ago_is_charged',
    file: 'shared/deposits/card/charge_saved_card.ts',
    from: 'ChargeOutcome = is_late',
    to: 'ChargeOutcome = !is_late && is_late',
    tests: recharges,
    grep: 'of long ago',
  },
  {
    name: 'card_that_pays_after_a_declined_one_is_not_saved',
    file: SETTLE,
    from: 'if (isNew && own.saves_card',
    to: 'if (isNew && reads === 0 && own.saves_card',
    tests: recharges,
    grep: 'one that was declined',
  },
  {
    name: 'refund_that_no_event_told_of_is_not_seen',
    file: RECONCILE,
    from: ' || reversed !== BigInt(takenBack) * MICROS_A_CENT',
    to: '',
    tests,
    grep: 'payments are compared',
  },
  {
    name: 'deposit_that_stripe_does_not_know_is_not_seen',
    file: RECONCILE,
    from: 'and d.tx_id <> all ($2::text[])',
    to: 'and d.tx_id = any ($2::text[])',
    tests,
    grep: 'that Stripe knows',
  },
  {
    name: 'recharge_goes_on_after_three_failures',
    file: END,
    from: 'const FAILURES_MAX = 3;',
    to: 'const FAILURES_MAX = 4;',
    tests: recharges,
    grep: 'three charges in a row',
  },
  {
    name: 'recharge_goes_on_where_the_bank_asks',
    file: END,
    from: "case when $2 = 'authentication_required' then $2\n",
    to: "case when $2 = 'nothing' then $2\n",
    tests: recharges,
    grep: 'bank asks',
  },
  {
    name: 'child_sets_the_recharge_of_its_owner',
    file: 'shared/deposits/card/set_auto_recharge.ts',
    from: 'if (agentId !== rootId)',
    to: 'if (agentId < 0)',
    tests: recharges,
    grep: 'not for children',
  },
];
