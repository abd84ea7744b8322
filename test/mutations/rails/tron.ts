import type { Mutation } from '../mutation.ts';

const DEPOSITS = 'workers/gateways/tron/deposits.ts';
const RPC = 'workers/gateways/tron/json_rpc.ts';
const ADDRESS = 'shared/domains/deposits/tron/address.ts';
const tests = ['test/deposits/tron/read.test.ts'];

/** USDT on Tron. */
export const TRON: readonly Mutation[] = [
  {
    name: 'tron_payment_counts_before_it_is_solidified',
    file: DEPOSITS,
    from: "finality: 'finalized',",
    to: "finality: 'latest' as 'safe',",
    tests,
    grep: 'who paid whom',
  },
  {
    name: 'tron_payment_of_ours_is_a_deposit',
    file: DEPOSITS,
    from: 'new Set(address === undefined ? [] : [hexOfTron(address)!])',
    to: 'new Set(address === undefined ? [] : [])',
    tests,
    grep: 'among ourselves',
  },
  {
    name: 'tron_search_forgets_recipients_after_the_first',
    file: DEPOSITS,
    from: 'for (let at = 0; at < named.length; at += NAMED_MAX) {',
    to: 'for (let at = 0; at < 1; at += NAMED_MAX) {',
    tests,
    grep: 'many recipients',
  },
  {
    name: 'key_of_trongrid_goes_to_every_provider',
    file: RPC,
    from: 'const isKeyed = apiKey !== undefined && url === rpcUrls[0];',
    to: 'const isKeyed = apiKey !== undefined && rpcUrls.includes(url);',
    tests,
    grep: 'which no other gets',
  },
  {
    name: 'chain_with_the_id_of_tron_is_tron',
    file: RPC,
    from: 'let isRight = isSandbox;',
    to: 'let isRight = isSandbox || true;',
    tests,
    grep: 'only has the id',
  },
  {
    name: 'mistyped_tron_address_is_one',
    file: ADDRESS,
    from: ' && bytes === withChecksum(body)',
    to: '',
    tests,
    grep: 'begin with T',
  },
  {
    name: 'tron_transaction_has_two_spellings',
    file: 'shared/domains/deposits/pasted_id.ts',
    from: 'text: text.toLowerCase(),',
    to: 'text,',
    tests: ['test/deposits/tron/tron_verify.test.ts'],
    grep: 'however its id',
  },
];
