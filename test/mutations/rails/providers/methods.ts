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
  {
    name: 'contract_is_asked_where_nodes_have_no_state',
    file: 'workers/gateways/evm/contract_signatures.ts',
    from: "error.kind === 'history' && !block",
    to: "error.kind === 'rate' && !block",
    tests: ['test/deposits/wallets/contract_wallet.test.ts'],
    grep: 'nodes still have',
  },
  {
    name: 'contract_is_asked_in_a_block_that_may_be_dropped',
    file: 'workers/gateways/evm/contract_signatures.ts',
    from: 'const KEPT_BLOCKS = 64;',
    to: 'const KEPT_BLOCKS = 0;',
    tests: ['test/deposits/wallets/contract_wallet.test.ts'],
    grep: 'nodes still have',
  },
  {
    name: 'tron_shows_the_address_of_all_before_the_own_one',
    file: 'shared/domains/deposits/chain/methods.ts',
    from: "if (rail === 'tron' && xpub !== undefined) return {};",
    to: '',
    tests: ['test/deposits/tron/tron_verify.test.ts'],
    grep: 'whose address was paid',
  },
];
