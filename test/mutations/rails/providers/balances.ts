import type { Mutation } from '../../mutation.ts';

const READ = 'shared/domains/deposits/balances/read_page.ts';
const RECORDED = 'shared/domains/deposits/balances/recorded_page.ts';
const RECEIPT = 'shared/domains/deposits/balances/balance_receipt.ts';
const SETTLE = 'shared/domains/deposits/chain/settle.ts';
const tests = ['test/deposits/balances/balances.test.ts'];
const held = ['test/deposits/balances/holdings.test.ts'];

/** Payments that only a balance shows, and what balances say of the books. */
export const BALANCES: readonly Mutation[] = [
  {
    name: 'balance_credits_what_transactions_have_paid_too',
    file: RECORDED,
    from: 'const left = change - own - sumOf(transfers);',
    to: 'const left = change - own;',
    tests,
    grep: 'found by their transactions',
  },
  {
    name: 'balance_takes_recorded_payments_for_nothing',
    file: 'shared/domains/deposits/balances/page_reading.ts',
    from: 'isExplained: before + paid === one.amount,',
    to: 'isExplained: before === one.amount,',
    tests,
    grep: 'left an address',
  },
  {
    name: 'balance_of_a_block_is_read_as_the_one_after',
    file: 'shared/domains/deposits/balances/balance_changes.ts',
    from: 'const between = await reader.held(middle, asset, named);',
    to: 'const between = await reader.held(middle + 1, asset, named);',
    tests,
    grep: 'have the blocks read that changed them alone',
  },
  {
    name: 'balance_forgets_what_left',
    file: RECORDED,
    from: 'if (moved !== 0n) await note(',
    to: 'if (moved > 0n) await note(',
    tests,
    grep: 'left an address',
  },
  {
    name: 'balance_is_not_read_between_payments_that_left_at_once',
    file: READ,
    from: 'flatMap(({ position: at }) => [at - 1, at])',
    to: 'flatMap(() => [])',
    tests,
    grep: 'left an address',
  },
  {
    name: 'balance_and_transaction_credit_the_same_payment',
    file: SETTLE,
    from: 'if (counted.has(transfer)) {',
    to: 'if (number < 0) {',
    tests,
    grep: 'known by its transaction later',
  },
  {
    name: 'balance_receipts_forbid_payments_that_are_known',
    file: RECEIPT,
    from: 'and not exists (select from deposit known',
    to: 'and exists (select from deposit known',
    tests,
    grep: 'known by its transaction later',
  },
  {
    name: 'balance_of_one_provider_is_believed',
    file: 'workers/gateways/quorum.ts',
    from: '(said, needed) => sameOf(said, String, needed),',
    to: '(said) => said[0],',
    tests,
    grep: 'only one of two',
  },
  {
    name: 'balance_is_compared_with_payments_that_are_not_in_it_yet',
    file: 'shared/domains/deposits/balances/gaps.ts',
    from: 'and d.position > b.base_block and d.position <= p.block',
    to: 'and d.position > b.base_block',
    tests: ['test/kernel/audit.test.ts'],
    grep: 'one of a later block',
  },
  {
    name: 'balances_of_many_addresses_are_those_of_the_first',
    file: 'workers/gateways/evm/balances/balances.ts',
    from: 'addresses.slice(at * TOGETHER_MAX, (at + 1) * TOGETHER_MAX)',
    to: 'addresses.slice(0, TOGETHER_MAX)',
    tests: held,
    grep: 'is the same in one question',
  },
  {
    name: 'block_is_explained_by_transactions_that_failed',
    file: 'workers/gateways/evm/balances/balances.ts',
    from: '.filter(({ receipt }) => Number(receipt.status) === 1)',
    to: '.filter(({ receipt }) => receipt !== null)',
    tests: held,
    grep: 'one by one',
  },
];
