import type { Mutation } from '../mutation.ts';

const REPEATS = 'shared/domains/x402/repeats.ts';
const CHAIN = 'workers/gateways/x402/chain.ts';
const SETTLE = 'shared/domains/x402/settle_x402_payment.ts';
const tests = ['test/x402/hostile.test.ts'];
const RECEIPTS = ['test/x402/unknown_receipt.test.ts'];
const READ = ['test/x402/read_payments.test.ts'];
const LATE = ['test/x402/late_payments.test.ts'];

/** Proofs of who sent a payment by x402, and what became of it. */
export const X402_PROOFS: readonly Mutation[] = [
  {
    name: 'payment_is_repeated_with_another_signature',
    file: REPEATS,
    from: 'isSameAsSent(recorded, payment) &&',
    to: 'isSameAsSent !== undefined &&',
    tests: READ,
  },
  {
    name: 'whoever_has_read_a_payment_gets_its_answer',
    file: REPEATS,
    from: '(recorded.agent_id !== null || isOfItsSender(parts, call, recorded));',
    to: '(isOfItsSender !== undefined || parts !== undefined);',
    tests: READ,
  },
  {
    name: 'answer_is_repeated_without_its_key',
    file: REPEATS,
    from: 'if (call_key !== null) return key === call_key;',
    to: '',
    tests: READ,
  },
  {
    name: 'another_key_makes_a_paid_call_again',
    file: REPEATS,
    from: 'const first = origin === null ? sent : call_key;',
    to: 'const first = sent ?? call_key;',
    tests: READ,
  },
  {
    name: 'second_payment_is_taken_for_an_answered_call',
    file: SETTLE,
    from: 'if (wasAnswered) return',
    to: 'if (!wasAnswered && payment.id < 0) return',
    tests: READ,
  },
  {
    name: 'unsettled_payments_of_an_address_have_no_limit',
    file: 'shared/domains/x402/payments.ts',
    from: 'max: 50,',
    to: 'max: 5_000,',
    tests: READ,
  },
  {
    name: 'settled_payments_of_an_address_are_limited_too',
    file: 'shared/domains/x402/credit_payment.ts',
    from: 'if (payment.origin) await giveBack(',
    to: 'if (!payment.origin) await giveBack(',
    tests: READ,
  },
  {
    name: 'word_of_a_facilitator_is_a_proof',
    file: SETTLE,
    from: 'return isGivenToNobody ? notTaken(payment, reason) : notKnown(payment, reason);',
    to: 'return isGivenToNobody !== null ? notTaken(payment, reason) : notKnown(payment, reason);',
    tests: LATE,
  },
  {
    name: 'terms_of_another_payment_come_with_one_that_may_settle',
    file: 'shared/domains/x402/prices.ts',
    from: 'if (body.details?.charged !== false) return refused;',
    to: 'if (body.details === undefined) return refused;',
    tests: LATE,
  },
  {
    name: 'payment_that_the_chain_would_refuse_is_given_away',
    file: SETTLE,
    from: 'if (refusal !== undefined) return',
    to: 'if (refusal === null) return',
    tests,
    grep: 'changed after it was signed',
  },
  {
    name: 'payment_without_a_log_was_used_before',
    file: CHAIN,
    from: 'if (!used) throw disagreement();',
    to: 'if (!used) return { isLapsed: true };',
    tests: RECEIPTS,
  },
  {
    name: 'payment_is_looked_for_in_the_last_blocks_alone',
    file: CHAIN,
    from: 'last >= 0; last -= blocksMax',
    to: 'last >= 0; last -= 1e9',
    tests: RECEIPTS,
  },
  {
    name: 'cancelled_payment_is_one_that_was_made',
    file: CHAIN,
    from: 'if (used.topics[0] === AUTHORIZATION_CANCELED) return',
    to: 'if (used.topics[0] === undefined) return',
    tests: LATE,
    grep: 'cancelled',
  },
  {
    name: 'payer_without_a_key_gets_no_goods',
    file: 'shared/domains/orders/purchase_product.ts',
    from: "deliveredBy: ({ order_id }) => ({ operation: 'get_vault_item', input: { order_id } }),",
    to: '',
    tests: ['test/x402/pay.test.ts'],
    grep: 'without an account',
  },
  {
    name: 'payment_is_valid_for_years',
    file: 'shared/domains/x402/payment.ts',
    from: 'if (left > VALID_SECONDS_MAX) {',
    to: 'if (left < -VALID_SECONDS_MAX) {',
    tests: ['test/x402/hostile.test.ts'],
    grep: 'refused before anybody',
  },
  {
    name: 'payer_in_other_letters_is_another',
    file: 'shared/domains/x402/payment.ts',
    from: 'payer: from.toLowerCase(),',
    to: 'payer: from,',
    tests: ['test/x402/hostile.test.ts'],
    grep: 'other letters',
  },
  {
    name: 'nonce_in_other_letters_is_another',
    file: 'shared/domains/x402/payment.ts',
    from: 'nonce: nonce.toLowerCase(),',
    to: 'nonce,',
    tests: ['test/x402/hostile.test.ts'],
    grep: 'other letters',
  },
  {
    name: 'operations_that_are_not_for_sale_are_sold',
    file: 'shared/composition/invoke/paid_answers.ts',
    from: 'op.paid?.soldWithoutKey !== undefined &&',
    to: "op.name !== '' &&",
    tests: ['test/x402/pay.test.ts'],
    grep: 'labor task',
  },
  {
    name: 'goods_of_a_key_come_opened',
    file: 'shared/composition/invoke/paid_answers.ts',
    from: '!deliveredBy || call.caller.payer === undefined ||',
    to: '!deliveredBy ||',
    tests: ['test/x402/pay.test.ts'],
    grep: 'cannot, with',
  },
  {
    name: 'terms_of_another_network_are_taken',
    file: 'shared/domains/x402/payment.ts',
    from: 'if (terms.network !== rail.network) {',
    to: "if (terms.network === '') {",
    tests: ['test/x402/hostile.test.ts'],
    grep: 'refused before anybody',
  },
  {
    name: 'terms_of_another_asset_are_taken',
    file: 'shared/domains/x402/payment.ts',
    from: '!isSame(terms.asset, rail.asset) || ',
    to: '',
    tests: ['test/x402/hostile.test.ts'],
    grep: 'refused before anybody',
  },
  {
    name: 'second_payment_of_a_request_is_dropped',
    file: 'api/x402/payment_headers.ts',
    from: 'if (isDeepStrictEqual(payment, other)) return payment;',
    to: 'if (isDeepStrictEqual(payment, payment) || other) return payment;',
    tests: ['test/x402/two_headers.test.ts'],
  },
];
