import type { Mutation } from '../mutation.ts';

const file = 'shared/domains/withdrawals/quote_withdrawal.ts';
const tests = ['test/withdrawals/quote_withdrawal.test.ts'];

/** Quotes of withdrawals, and the limits of a round of payments. */
export const WITHDRAWAL_QUOTES: readonly Mutation[] = [
  {
    name: 'quote_knows_addresses_of_others',
    file,
    from: 'where root_id = $1 and chain_id = $2',
    to: 'where $1::bigint > 0 and chain_id = $2',
    tests,
    grep: 'says what withdraw then does',
  },
  {
    name: 'quote_does_not_know_an_address_in_other_letters',
    file,
    from: 'lower(address) = lower($3)',
    to: 'address = $3',
    tests,
    grep: 'says what withdraw then does',
  },
  {
    name: 'quote_forgets_the_review',
    file,
    from: 'const isReviewed = await needsReview(tx, amount);',
    to: 'const isReviewed = (await needsReview(tx, amount)) && amount === 0n;',
    tests,
    grep: 'says what withdraw then does',
  },
  {
    name: 'quote_lets_credit_leave',
    file,
    from: 'const { cash } = spendableOf(await balanceOf(tx.db, rootId));',
    to: 'const funds = await balanceOf(tx.db, rootId), cash = funds.cash + funds.credit;',
    tests,
    grep: 'names what would refuse it',
  },
  {
    name: 'quote_forgets_what_was_withdrawn_today',
    file,
    from: 'leftOf(fromUsd(perDay), await usedToday(tx.db, rootId))',
    to: 'leftOf(fromUsd(perDay), 0n * (await usedToday(tx.db, rootId)))',
    tests,
    grep: 'names what would refuse it',
  },
  {
    name: 'day_of_withdrawals_has_an_hour',
    file: 'shared/domains/withdrawals/withdrawal.ts',
    from: "created_at > now() - interval '1 day'",
    to: "created_at > now() - interval '1 hour'",
    tests: ['test/withdrawals/sums.test.ts'],
    grep: 'within 24 hours',
  },
  {
    name: 'payment_is_signed_by_a_wallet_that_did_not_begin_it',
    file: 'shared/domains/withdrawals/payments.ts',
    from: 'if (payment.wallet !== wallet.address) return { isOfOtherWallet: true };',
    to: '',
    tests: ['test/withdrawals/faults.test.ts'],
    grep: 'by no other wallet',
  },
  {
    name: 'payment_is_replaced_at_any_fee',
    file: 'shared/domains/withdrawals/payments.ts',
    from: 'if (fees.max > feeMax) return { fate, refused };',
    to: '',
    tests: ['test/withdrawals/round_limits.test.ts'],
    grep: 'no more than the highest fee',
  },
  {
    name: 'replacement_offers_less_than_nodes_want',
    file: 'shared/domains/withdrawals/payments.ts',
    from: '(BigInt(before) * 9n) / 8n + 1n',
    to: '(BigInt(before) * 17n) / 16n',
    tests: ['test/withdrawals/round_limits.test.ts'],
    grep: 'an eighth higher',
  },
  {
    name: 'last_transaction_has_no_time',
    file: 'shared/domains/withdrawals/payments.ts',
    from: 'newest.attempt >= ATTEMPTS_MAX && newest.age_ms >= REPLACE_MS',
    to: 'newest.attempt >= ATTEMPTS_MAX',
    tests: ['test/withdrawals/round_limits.test.ts'],
    grep: 'gives the last',
  },
  {
    name: 'round_has_any_number_of_payments',
    file: 'shared/domains/withdrawals/payments.ts',
    from: 'const max = PAYMENTS_MAX - findings.length;',
    to: 'const max = PAYMENTS_MAX;',
    tests: ['test/withdrawals/round_limits.test.ts'],
    grep: 'has forty',
  },
  {
    name: 'payments_on_the_chain_are_paid_for_once_more',
    file: 'shared/domains/withdrawals/payments.ts',
    from: 'findings.filter((finding) => !isOnChain(finding))',
    to: 'findings.filter((finding) => isOnChain(finding))',
    tests: ['test/withdrawals/round_limits.test.ts'],
    grep: 'on the chain yet once',
  },
];
