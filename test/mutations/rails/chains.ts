import type { Mutation } from '../mutation.ts';

const BIND = 'shared/deposits/chain/bind.ts';
const SETTLE = 'shared/deposits/chain/settle.ts';
const SEARCH = 'shared/deposits/chain/search_chain.ts';
const CONFIRM = 'shared/deposits/chain/confirm_deposit.ts';
const LINK = 'shared/deposits/wallets/link_wallet.ts';
const KNOWN = 'shared/deposits/wallets/known_addresses.ts';
const watched = ['test/deposits/chain/watch.test.ts'];
const contracts = ['test/deposits/wallets/contract_wallet.test.ts'];
const unlinked = ['test/deposits/wallets/unlink_wallet.test.ts'];
const told = ['test/deposits/evm/deposit_events.test.ts'];
const linked = ['test/deposits/wallets/link_wallet.test.ts'];

/** What all chains have in common: whose a payment is, and that it is credited once. */
export const CHAINS_WATCHED: readonly Mutation[] = [
  {
    name: 'payment_is_of_whom_its_reference_names_without_the_secret',
    file: BIND,
    from: 'named?.random === reference?.random ? named : undefined',
    to: 'named',
    tests: watched,
    grep: 'nothing binds',
  },
  {
    name: 'payment_from_before_its_agent_is_credited',
    file: BIND,
    from: '|| at.getTime() < holder.created_at.getTime() - CLOCK_MS',
    to: '|| at.getTime() < CLOCK_MS',
    tests: watched,
    grep: 'from before its agent',
  },
  {
    name: 'payment_of_nothing_much_is_credited',
    file: SETTLE,
    from: 'if (value.usd < fromUsd(tx.config.deposits.chainMin)) return undefined;',
    to: '',
    tests: watched,
    grep: 'from before its agent',
  },
  {
    name: 'search_goes_on_past_what_it_could_not_see',
    file: SEARCH,
    from: '    fault = String(error).slice(0, 500);',
    to: '    fault = String(error).slice(0, 500);\n    to = (to ?? 0) + 1_000;',
    tests: watched,
    grep: 'did not answer',
  },
  {
    name: 'search_skips_a_block',
    file: SEARCH,
    from: 'chain.scan(to + 1, last, recipients)',
    to: 'chain.scan(to + 2, last, recipients)',
    tests: watched,
    grep: 'a thousand blocks',
  },
  {
    name: 'search_reads_only_the_first_blocks_whole',
    file: 'workers/gateways/evm/scan.ts',
    from: 'for (let at = WHOLE_MAX; at < whole.length; at += WHOLE_MAX) {',
    to: 'for (let at = WHOLE_MAX; at < 0; at += WHOLE_MAX) {',
    tests: ['test/deposits/evm/scan.test.ts'],
    grep: 'in any way',
  },
  {
    name: 'payment_that_waits_for_a_price_is_forgotten',
    file: CONFIRM,
    from: 'if (!read) await priceFinal(tx, waiting, prices);',
    to: 'if (!read) void priceFinal;',
    tests: watched,
    grep: 'no price',
  },
  {
    name: 'payment_to_somebody_else_is_ours',
    file: 'shared/deposits/chain/recipients.ts',
    from: 'return all.has(address) && ',
    to: 'return (all.has(address) || true) && ',
    tests: ['test/deposits/evm/evm_verify.test.ts'],
    grep: 'nothing that counts',
  },
  {
    name: 'address_that_was_committed_late_is_not_searched_for',
    file: KNOWN,
    from: 'pg_snapshot_xmin(pg_current_snapshot())::text',
    to: 'pg_snapshot_xmax(pg_current_snapshot())::text',
    tests: ['test/deposits/wallets/known_addresses.test.ts'],
    grep: 'committed late',
  },
  {
    name: 'addresses_after_the_first_page_are_not_searched_for',
    file: KNOWN,
    from: '      after = last;',
    to: '      after = last && null;',
    tests: ['test/plans/address_plans.test.ts'],
    grep: 'read once',
  },
  {
    name: 'payment_is_detected_again_at_each_look',
    file: 'shared/deposits/chain/await_deposit.ts',
    from: 'if (is_new) await notifyOf(',
    to: 'if (is_new || true) await notifyOf(',
    tests: told,
  },
  {
    name: 'payment_is_rejected_and_nobody_is_told',
    file: 'shared/deposits/chain/await_deposit.ts',
    from: 'for (const deposit of rejected) {',
    to: 'for (const deposit of rejected.slice(1)) {',
    tests: told,
  },
  {
    name: 'signed_message_is_taken_again',
    file: LINK,
    from: "'delete from wallet_challenge where agent_id = $1 and nonce = $2'",
    to: "'select from wallet_challenge where agent_id = $1 and nonce = $2'",
    tests: linked,
  },
  {
    name: 'old_message_is_taken',
    file: LINK,
    from: 'where agent_id = $1 and family = $2 and expires_at > now()',
    to: 'where agent_id = $1 and family = $2',
    tests: linked,
    grep: 'too old',
  },
  {
    name: 'wallet_changes_its_agent',
    file: LINK,
    from: '      where known.agent_id = excluded.agent_id\n',
    to: '',
    tests: linked,
    grep: 'leaves a wallet',
  },
  {
    name: 'address_is_not_the_one_that_signed',
    file: LINK,
    from: ' || challenge.address !== address) {',
    to: ') {',
    tests: linked,
    grep: 'another address',
  },
  {
    name: 'tron_wallet_signs_as_another',
    file: 'workers/gateways/wallets/tron.ts',
    from: 'checksumOf(body)])) === address',
    to: 'checksumOf(body)])) !== text',
    tests: linked,
    grep: 'of tron',
  },
  {
    name: 'contract_is_linked_on_all_networks',
    file: 'workers/gateways/wallets/wallets.ts',
    from: '.map(({ network }) => network);',
    to: ".map(() => 'all');",
    tests: contracts,
    grep: 'where it says',
  },
  {
    name: 'one_provider_says_that_a_contract_has_signed',
    file: 'workers/gateways/evm/contract_signatures.ts',
    from: 'return taken >= network.quorum;',
    to: 'return taken > 0;',
    tests: contracts,
    grep: 'one of two',
  },
  {
    name: 'contract_that_answers_anything_has_signed',
    file: 'workers/gateways/evm/contract_signatures.ts',
    from: 'return answer === VALID;',
    to: "return answer !== '0x';",
    tests: contracts,
    grep: 'anything else',
  },
  {
    name: 'wallet_is_unlinked_by_anybody',
    file: 'shared/deposits/wallets/unlink_wallet.ts',
    from: 'and root_id = $3 and',
    to: 'and $3::bigint is not null and',
    tests: unlinked,
    grep: 'the owner of the tree',
  },
  {
    name: 'unlinked_wallet_pays_its_agent_for_ever',
    file: BIND,
    from: 'held.unlinked_at > least(paid.at, noted.created_at)',
    to: 'held.unlinked_at is not null',
    tests: unlinked,
    grep: 'leaves with the agent',
  },
  {
    name: 'payment_that_was_noted_loses_its_agent',
    file: BIND,
    from: 'least(paid.at, noted.created_at)',
    to: 'least(paid.at, paid.at)',
    tests: unlinked,
    grep: 'ahead',
  },
  {
    name: 'gas_of_a_sweep_is_a_deposit',
    file: 'local/sweep/sweep.ts',
    from: 'if (gasWallet && !network.own.has(',
    to: 'if (gasWallet && network.own.size < 0 && !network.own.has(',
    tests: ['test/local/sweep.test.ts'],
    grep: 'sends nothing',
  },
  {
    name: 'sweep_sends_what_it_was_to_show',
    file: 'local/sweep/sweep.ts',
    from: "if (!order.isSent) return say('",
    to: "if (!order.isSent && steps.length === 0) return say('",
    tests: ['test/local/sweep.test.ts'],
    grep: 'says what it would',
  },
];
