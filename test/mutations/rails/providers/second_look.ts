import type { Mutation } from '../../mutation.ts';

const AGAIN = 'shared/domains/deposits/providers/search_again.ts';
const tests = ['test/deposits/providers/second_look.test.ts'];
const shown = ['test/deposits/providers/rails_page.test.ts'];

/** The second look at what was searched, and what is noted of providers. */
export const PROVIDERS_SECOND_LOOK: readonly Mutation[] = [
  {
    name: 'second_look_passes_over_its_first_stretch',
    file: AGAIN,
    from: 'chain.scan(to + 1, last, recipients, { isAgain: true })',
    to: 'chain.scan(last, last, recipients, { isAgain: true })',
    tests,
    grep: 'left out of the logs',
  },
  {
    name: 'second_look_is_never_due',
    file: AGAIN,
    from: 'and (again_at is null or again_at <= now())',
    to: 'and again_at is null',
    tests,
    grep: 'left out of the logs',
  },
  {
    name: 'second_look_counts_what_was_credited_before',
    file: AGAIN,
    from: '=> !before.has(`${txId} ${index}`)',
    to: '=> index < 0 || !before.has(txId)',
    tests,
    grep: 'left out of the logs',
  },
  {
    name: 'second_look_moves_back',
    file: AGAIN,
    from: 'again_goal = case when $3 < again_goal then again_goal else position end',
    to: 'again_goal = again_goal - 1',
    tests,
    grep: 'left out of the logs',
  },
  {
    name: 'whole_blocks_are_read_where_that_is_off',
    file: 'workers/gateways/evm/scan.ts',
    from: 'coin !== undefined && isOn;',
    to: 'coin !== undefined || isOn;',
    tests: ['test/deposits/evm/scan.test.ts'],
    grep: 'reads no block whole',
  },
  {
    name: 'provider_pace_is_of_the_wrong_time',
    file: 'shared/domains/deposits/providers/provider_status.ts',
    from: '(${sum} * 86400 / seconds)::bigint',
    to: '(${sum})::bigint',
    tests: shown,
    grep: 'by day and month',
  },
];
