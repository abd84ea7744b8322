import type { Mutation } from '../mutation.ts';

const CALLS = 'shared/domains/x402/paid_calls.ts';
const PAYMENT = 'shared/domains/x402/payment.ts';
const PAYMENTS = 'shared/domains/x402/payments.ts';
const REPEATS = 'shared/domains/x402/repeats.ts';
const CHAIN = 'workers/gateways/x402/chain.ts';
const SETTLE = 'shared/domains/x402/settle_x402_payment.ts';
const tests = ['test/x402/hostile.test.ts'];
const RECEIPTS = ['test/x402/unknown_receipt.test.ts'];
const LATE = ['test/x402/late_payments.test.ts'];

/** Payments by x402, and the calls that they pay for. */
export const X402: readonly Mutation[] = [
  {
    name: 'payment_pays_for_another_call',
    file: REPEATS,
    from: 'isSameCall(secrets, recorded.input_hash, { op, input }) &&',
    to: '',
    tests,
  },
  {
    name: 'payment_is_used_with_another_key',
    file: REPEATS,
    from: '(recorded.agent_id ?? 0) === caller.agentId &&',
    to: '',
    tests,
  },
  {
    name: 'payment_of_too_little_is_taken',
    file: 'shared/domains/x402/prices.ts',
    from: 'if (amount >= due) return;',
    to: 'if (due > 0n) return;',
    tests,
  },
  {
    name: 'payment_of_any_size_is_credited_before_it_is_final',
    file: PAYMENT,
    from: 'if (amount > rail.max) {',
    to: 'if (amount < 0n) {',
    tests,
    grep: 'refused before anybody',
  },
  {
    name: 'payment_is_asked_for_that_would_be_refused',
    file: 'shared/composition/invoke/paid_answers.ts',
    from: 'due !== undefined && due <= max ? due : undefined',
    to: 'max > 0n ? due : undefined',
    tests: ['test/x402/pay.test.ts'],
    grep: 'is not asked for',
  },
  {
    name: 'credit_counts_to_what_it_does_not_pay',
    file: 'shared/domains/x402/terms.ts',
    from: '(isCashOnly ? 0n : credit)',
    to: '(isCashOnly ? credit : credit)',
    tests: ['test/x402/pay.test.ts'],
    grep: 'credit does not pay',
  },
  {
    name: 'what_is_owed_does_not_count_to_what_is_missing',
    file: 'shared/domains/x402/terms.ts',
    from: 'if (owed > 0n) return amount + owed;',
    to: '',
    tests: ['test/x402/terms.test.ts'],
  },
  {
    name: 'paid_call_is_made_each_time_that_it_is_sent',
    file: REPEATS,
    from: 'return first ?? `x402:${network}:${payer}:${nonce}`;',
    to: 'return sent ?? first;',
    tests,
  },
  {
    name: 'payment_to_somebody_else_is_tried',
    file: PAYMENT,
    from: 'if (!isSame(to, rail.payTo)) {',
    to: 'if (to === "") {',
    tests,
  },
  {
    name: 'payment_that_has_expired_is_tried',
    file: PAYMENT,
    from: 'if (left < SETTLE_SECONDS_MIN) {',
    to: 'if (left < -SETTLE_SECONDS_MIN) {',
    tests,
  },
  {
    name: 'failed_call_does_not_say_where_its_payment_is',
    file: 'shared/composition/invoke/paid_answers.ts',
    from: 'if (answer.status < 400) return { ...answer, receipt };',
    to: 'if (answer.status < 600) return { ...answer, receipt };',
    tests,
  },
  {
    name: 'facilitator_is_believed_that_it_did_not_settle',
    file: SETTLE,
    from: 'let found = await x402.find(payment);',
    to: 'let found = verdict.isSettled ? await x402.find(payment) : before;',
    tests,
  },
  {
    name: 'payment_whose_receipt_is_unknown_has_lapsed',
    file: CHAIN,
    from: "  if (receipt?.status !== '0x1') {\n    throw disagreement();",
    to: "  if (receipt?.status !== '0x1') {\n    return { isLapsed: isOver };",
    tests: RECEIPTS,
  },
  {
    name: 'payment_that_settles_late_is_not_credited',
    file: 'shared/domains/x402/look_for_x402_payment.ts',
    from: 'await creditPayment(tx, payment, found.transfer);',
    to: "await endLapsed(tx.db, payment.id, 'expired');",
    tests: LATE,
  },
  {
    name: 'second_of_two_first_payments_fails',
    file: 'shared/domains/x402/accounts.ts',
    from: 'on conflict do nothing returning id',
    to: 'returning id',
    tests: ['test/x402/pay.test.ts'],
    grep: 'opens one account',
  },
  {
    name: 'payment_is_settled_for_each_call_that_repeats_it',
    file: PAYMENTS,
    from: 'where id = $1 and job_id = $2`;',
    to: "where id = $1 and $2::text <> ''`;",
    tests: LATE,
    grep: 'one of three calls',
  },
  {
    name: 'payment_that_was_credited_is_said_to_have_failed',
    file: SETTLE,
    from: 'const payment = await lockPayment(tx.db, payment_id);',
    to: 'void lockPayment; const payment = await readPayment(tx.db, payment_id);',
    tests: LATE,
    grep: 'is behind another',
  },
  {
    name: 'payment_that_was_credited_may_lapse',
    file: SETTLE,
    from: "    if (payment.status === 'settled') return { status: 'settled' as const };\n",
    to: '',
    tests: LATE,
    grep: 'is behind another',
  },
  {
    name: 'payment_is_taken_for_a_call_that_has_its_answer',
    file: CALLS,
    from: 'if (!before && (await isAnswered(op, call)))',
    to: 'if (before && (await isAnswered(op, call)))',
    tests,
    grep: 'by its own key',
  },
  {
    name: 'payment_answers_after_its_call_is_forgotten',
    file: REPEATS,
    from: "(recorded.status === 'open' || age < REPEATED_MS_MAX)",
    to: "(recorded.status === 'open' || age > 0)",
    tests,
    grep: 'for a day',
  },
  {
    name: 'payment_before_its_time_is_tried',
    file: PAYMENT,
    from: 'if (Number(authorization.validAfter) > now.getTime() / 1_000) {',
    to: 'if (Number(authorization.validAfter) < 0) {',
    tests,
    grep: 'refused before anybody',
  },
  {
    name: 'transfer_that_is_another_deposit_pays',
    file: 'shared/domains/x402/credit_payment.ts',
    from: 'if (!isNew) {',
    to: 'if (deposit.root_id < 0) {',
    tests: LATE,
    grep: 'has paid for another',
  },
  {
    name: 'transfer_that_is_not_as_signed_pays',
    file: CHAIN,
    from: 'if (!isAsSigned) return',
    to: 'if (!transfer) return',
    tests: RECEIPTS,
  },
  {
    name: 'payment_that_was_used_before_it_was_sent_pays',
    file: CHAIN,
    from: 'if (timeOf(block) < recordedAt.getTime() - SKEW_MS)',
    to: 'if (timeOf(block) < 0)',
    tests: RECEIPTS,
  },
  {
    name: 'payment_of_version_1_names_any_network',
    file: 'shared/domains/x402/payment.ts',
    from: 'named === networkV1 ? network : named',
    to: 'named === networkV1 ? network : network',
    tests: ['test/x402/hostile.test.ts'],
  },
];
