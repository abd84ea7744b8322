import type { Mutation } from '../mutation.ts';

const REPEATS = 'shared/x402/repeats.ts';
const CHAIN = 'workers/gateways/x402/chain.ts';
const SETTLE = 'shared/x402/settle_x402_payment.ts';
const tests = ['test/x402/hostile.test.ts'];
const RECEIPTS = ['test/x402/unknown_receipt.test.ts'];
const READ = ['test/x402/read_payments.test.ts'];
const LATE = ['test/x402/late_payments.test.ts'];

/** What proves who sent a payment by x402, and what became of it. */
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
    file: 'shared/x402/payments.ts',
    from: 'max: 50,',
    to: 'max: 5_000,',
    tests: READ,
  },
  {
    name: 'settled_payments_of_an_address_are_limited_too',
    file: 'shared/x402/credit_payment.ts',
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
    file: 'shared/x402/prices.ts',
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
    file: 'shared/orders/purchase_product.ts',
    from: "deliveredBy: ({ order_id }) => ({ operation: 'get_vault_item', input: { order_id } }),",
    to: '',
    tests: ['test/x402/pay.test.ts'],
    grep: 'without an account',
  },
];
