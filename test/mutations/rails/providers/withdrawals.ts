import type { Mutation } from '../../mutation.ts';

const QUORUM = 'workers/gateways/evm/quorum_answers.ts';
const COMPARE = 'shared/domains/withdrawals/compare_payouts.ts';
const tests = ['test/withdrawals/quorum.test.ts'];

/** Withdrawals, of which some of several providers have to tell. */
export const WITHDRAWALS_OF_A_QUORUM: readonly Mutation[] = [
  {
    name: 'one_provider_is_enough_to_be_paid',
    file: 'workers/gateways/evm/nonce_outcome.ts',
    from: 'sameOf(found, chain.quorum, contentOf)',
    to: 'sameOf(found, 1, contentOf)',
    tests,
    grep: 'lies',
  },
  {
    name: 'quorum_of_withdrawals_is_not_needed',
    file: QUORUM,
    from: 'if (answers.size < quorum || providers.length === 0) {',
    to: 'if (answers.size === 0 || providers.length === 0) {',
    tests,
    grep: 'fewer than a quorum',
  },
  {
    name: 'quorum_of_withdrawals_is_all',
    file: 'shared/domains/withdrawals/settings.ts',
    from: 'quorum: Math.min(quorum, urls.length),',
    to: 'quorum: Math.max(quorum, urls.length),',
    tests,
    grep: 'one of them is down',
  },
  {
    name: 'quorum_of_final_blocks_is_one',
    file: 'workers/gateways/evm/nonce_outcome.ts',
    from: 'finals.toSorted((a, b) => b - a)[quorum - 1]!;',
    to: 'finals.toSorted((a, b) => b - a)[quorum * 0]!;',
    tests: ['test/withdrawals/quorum.test.ts'],
    grep: 'not final because one says so',
  },
  {
    name: 'withdrawals_that_wait_for_providers_do_not_say_so',
    file: COMPARE,
    from: 'set unanswered = $2, unanswered_at',
    to: 'set unanswered = left($2, 0), unanswered_at',
    tests,
    grep: 'waits while two',
  },
  {
    name: 'withdrawals_that_wait_no_more_still_say_so',
    file: COMPARE,
    from: 'looked_at = now(), unanswered = null, unanswered_at = null',
    to: 'looked_at = now()',
    tests,
    grep: 'waits while two',
  },
  {
    name: 'transfers_of_nothing_are_payments_of_the_wallet',
    file: 'workers/gateways/evm/payouts.ts',
    from: 'BigInt(data) > 0n',
    to: 'BigInt(data) >= 0n',
    tests: ['test/withdrawals/transfers_of_nothing.test.ts'],
  },
];
