import type { Mutation } from '../mutation.ts';

const TRANSFERS = 'workers/gateways/evm/transfers.ts';
const PROVIDER = 'workers/gateways/evm/provider.ts';
const SCAN = 'workers/gateways/evm/scan.ts';
const read = ['test/deposits/evm/read.test.ts'];
const scan = ['test/deposits/evm/scan.test.ts'];

/** Deposits as networks of the EVM tell them. */
export const EVM_DEPOSITS: readonly Mutation[] = [
  {
    name: 'forged_log_is_a_payment',
    file: TRANSFERS,
    from: 'const token = tokens.get(contract);',
    to: "const token = 'USDC' as string | undefined;",
    tests: read,
  },
  {
    name: 'payment_by_the_router_counts_twice',
    file: TRANSFERS,
    from: ' && to !== router',
    to: '',
    tests: read,
  },
  {
    name: 'own_money_is_a_deposit',
    file: TRANSFERS,
    from: ' && !own.has(from)',
    to: '',
    tests: read,
  },
  {
    name: 'value_of_a_bridge_is_a_payment',
    file: TRANSFERS,
    from: 'ORDINARY_TYPES.includes(Number(type)) && to',
    to: 'to',
    tests: read,
  },
  {
    name: 'receipt_of_a_dropped_block_counts',
    file: PROVIDER,
    from: "if (header?.hash !== receipt.blockHash) return { status: 'unknown' };",
    to: '',
    tests: read,
  },
  {
    name: 'block_is_final_at_once',
    file: PROVIDER,
    from: 'Number(header.number) <= Number(final.number)',
    to: 'true',
    tests: read,
  },
  {
    name: 'failed_transaction_has_paid',
    file: PROVIDER,
    from: 'if (Number(receipt.status) === 1) {',
    to: 'if (Number(receipt.status) >= 0) {',
    tests: read,
  },
  {
    name: 'provider_of_another_chain_is_believed',
    file: PROVIDER,
    from: 'if (Number(id) !== chainId) {',
    to: 'if (Number(id) < 0) {',
    tests: read,
  },
  {
    name: 'provider_of_a_chain_of_a_machine_is_believed',
    file: PROVIDER,
    from: 'if (wanted !== undefined && (first as RawHeader | null)?.hash !== wanted) {',
    to: "if (wanted !== undefined && (first as RawHeader | null)?.hash === '') {",
    tests: read,
  },
  {
    name: 'another_transaction_is_taken_for_it',
    file: 'workers/gateways/evm/questions.ts',
    from: 'if (!isSame) throw',
    to: 'if (Number(isSame) < 0) throw',
    tests: read,
  },
  {
    name: 'one_provider_is_a_quorum',
    file: 'workers/gateways/quorum.ts',
    from: '=== keys[at]).length >= quorum',
    to: '=== keys[at]).length >= 1',
    tests: read,
  },
  {
    name: 'provider_that_is_behind_says_nothing_was_paid',
    file: SCAN,
    from: 'if (Number(final.number) < search.to) throw',
    to: 'if (Number(final.number) < 0) throw',
    tests: scan,
  },
  {
    name: 'search_passes_over_a_missing_block',
    file: SCAN,
    from: "if (!block) throw new Error('a provider does not have a block that is final');",
    to: 'if (!block) continue;',
    tests: scan,
  },
  {
    name: 'first_of_two_pasted_ids_is_asked_for',
    file: 'shared/domains/deposits/pasted_id.ts',
    from: 'if (found.size === 1)',
    to: 'if (found.size > 0)',
    tests: ['test/deposits/evm/evm_verify.test.ts'],
  },
];
