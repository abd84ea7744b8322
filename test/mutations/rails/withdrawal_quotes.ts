import type { Mutation } from '../mutation.ts';

const file = 'shared/withdrawals/quote_withdrawal.ts';
const tests = ['test/withdrawals/quote_withdrawal.test.ts'];

/** What is said of a withdrawal before it is made. */
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
];
