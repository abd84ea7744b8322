import type { Mutation } from '../mutation.ts';

const TRANSFERS = 'workers/gateways/algorand/transfers.ts';
const PROVIDER = 'workers/gateways/algorand/provider.ts';
const SEARCH = 'workers/gateways/algorand/search.ts';
const SETTINGS = 'shared/domains/deposits/algorand/settings.ts';
const tests = ['test/deposits/algorand/gateway.test.ts'];

/** Payments in ALGO. */
export const ALGORAND_DEPOSITS: readonly Mutation[] = [
  {
    name: 'indexer_gets_the_token_of_another',
    file: 'workers/gateways/algorand/deposits.ts',
    from: 'const token = tokenFor(network.indexerTokens, url);',
    to: 'const token = tokenFor(network.indexerTokens, network.indexers[0]!) ?? url;',
    tests: ['test/deposits/algorand/indexer_tokens.test.ts'],
    grep: 'own hosts alone',
  },
  {
    name: 'indexer_of_tokens_gets_the_token_of_another',
    file: 'workers/gateways/algorand/nodes.ts',
    from: 'tokenFor(issuer.indexerTokens, url);',
    to: 'tokenFor(issuer.indexerTokens, issuer.indexerUrls.at(-1)!);',
    tests: ['test/deposits/algorand/indexer_tokens.test.ts'],
    grep: 'own hosts alone',
  },
  {
    name: 'algorand_network_of_a_transaction_is_not_looked_at',
    file: TRANSFERS,
    from: "if (raw['genesis-hash'] !== genesisHash) throw",
    to: "if (raw['genesis-hash'] === '') throw",
    tests,
    grep: 'is of another network',
  },
  {
    name: 'algorand_network_of_an_indexer_is_not_looked_at',
    file: PROVIDER,
    from: "block?.['genesis-hash'] !== genesisHash",
    to: 'block === undefined',
    tests,
    grep: 'is of another network',
  },
  {
    name: 'algorand_close_amount_is_lost',
    file: TRANSFERS,
    from: "payment['close-amount'] ?? 0",
    to: '0',
    tests,
    grep: 'closed to us',
  },
  {
    name: 'algorand_close_amount_goes_to_the_receiver',
    file: TRANSFERS,
    from: "to: payment['close-remainder-to']",
    to: 'to: payment.receiver',
    tests,
    grep: 'closed to us',
  },
  {
    name: 'algorand_payment_to_ourselves_counts',
    file: TRANSFERS,
    from: '!payment || raw.sender === address',
    to: '!payment || raw.sender === `${address}0`',
    tests,
    grep: 'our own payment',
  },
  {
    name: 'algorand_other_transaction_is_believed',
    file: PROVIDER,
    from: 'raw.id !== txId',
    to: 'raw.id === undefined',
    tests,
    grep: 'lies',
  },
  {
    name: 'algorand_indexer_that_lags_leaves_payments_out',
    file: SEARCH,
    from: 'if (come < to) throw',
    to: 'if (come < 0) throw',
    tests,
    grep: 'not before the indexer has them',
  },
  {
    name: 'algorand_only_the_first_page_is_read',
    file: SEARCH,
    from: 'if (!next || ',
    to: 'if (page === 0 || ',
    tests,
    grep: 'page by page',
  },
  {
    name: 'algorand_payments_to_others_are_found',
    file: PROVIDER,
    from: 'to === address && position >= rounds.from',
    to: 'position >= rounds.from',
    tests,
    grep: 'closed to us',
  },
  {
    name: 'algorand_sandbox_counts_as_the_real_network',
    file: SETTINGS,
    from: 'if (!isSandbox && text !== MAINNET)',
    to: 'if (!isSandbox && text === MAINNET)',
    tests: ['test/deposits/algorand/settings.test.ts'],
  },
  {
    name: 'first_of_two_references_is_credited',
    file: 'shared/domains/deposits/chain/references.ts',
    from: 'return found.size === 1 ? [...found.values()][0] : undefined;',
    to: 'return [...found.values()][0];',
    tests: ['test/deposits/algorand/paid_in.test.ts'],
  },
  {
    name: 'reference_is_read_of_longer_digits',
    file: 'shared/domains/deposits/chain/references.ts',
    from: '(?![\\da-f])/g',
    to: '/g',
    tests: ['test/deposits/algorand/paid_in.test.ts'],
  },
  {
    name: 'note_in_base64_names_nobody',
    file: 'shared/domains/deposits/chain/references.ts',
    from: "yield Buffer.from(compact, 'base64').toString();",
    to: 'yield compact;',
    tests: ['test/deposits/algorand/paid_in.test.ts'],
  },
];
