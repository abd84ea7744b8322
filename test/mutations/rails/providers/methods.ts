import type { Mutation } from '../../mutation.ts';

const QUORUM = 'workers/gateways/quorum.ts';
const tests = ['test/deposits/providers/methods.test.ts'];

/** Ways of asking that a provider does not know. */
export const PROVIDER_METHODS: readonly Mutation[] = [
  {
    name: 'provider_that_is_left_out_leaves_one_alone',
    file: QUORUM,
    from: 'const ALONE_MAX = 2;',
    to: 'const ALONE_MAX = 1;',
    tests,
    grep: 'leaves nobody alone',
  },
  {
    name: 'provider_without_final_blocks_stops_the_network',
    file: QUORUM,
    from: 'fault instanceof LeftOut ? 1 : 0',
    to: 'fault instanceof LeftOut ? 0 : 0',
    tests,
    grep: 'is left out where two others',
  },
  {
    name: 'provider_that_fails_counts_as_left_out',
    file: QUORUM,
    from: 'fault instanceof LeftOut ? 1 : 0',
    to: 'fault instanceof Error ? 1 : 0',
    tests,
    grep: 'no excuse',
  },
  {
    name: 'calls_of_the_node_of_algorand_are_not_counted',
    file: 'workers/gateways/algorand/counted_client.ts',
    from: 'count({ requests: 1, calls: 1 });',
    to: 'count({ requests: 1, calls: 0 });',
    tests: ['test/tokens/faults.test.ts'],
    grep: 'which plans bill',
  },
];
