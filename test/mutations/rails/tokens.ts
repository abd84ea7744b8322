import type { Mutation } from '../mutation.ts';

const ROUNDS = 'shared/domains/tokens/rounds/rounds.ts';
const CLAIM = 'shared/domains/tokens/claim_asa.ts';
const claims = ['test/tokens/claim_asa.test.ts'];
const OPEN = 'shared/domains/tokens/rounds/open_tokens.ts';
const LOOK = 'shared/domains/tokens/rounds/look_up.ts';
const GROUP = 'shared/domains/tokens/rounds/nft_group.ts';
const groups = ['test/tokens/nft_groups.test.ts'];
const DEPLOY = 'shared/domains/tokens/deployment.ts';
const GATEWAY = 'workers/gateways/algorand/tokens.ts';
const faults = ['test/tokens/faults.test.ts'];
const tests = ['test/tokens/issue_asa.test.ts'];
const collections = ['test/tokens/collection_faults.test.ts'];
const killed = ['test/tokens/killed_workers.test.ts'];

/** Tokens that are issued, and what was paid for them. */
export const TOKENS_ISSUED: readonly Mutation[] = [
  {
    name: 'asset_is_claimed_for_an_address_that_cannot_get_it',
    file: CLAIM,
    from: 'if (!hasOptedIn) {',
    to: 'if (hasOptedIn === undefined) {',
    tests: claims,
    grep: 'has not opted in',
  },
  {
    name: 'asset_that_is_claimed_is_claimed_for_another_address',
    file: CLAIM,
    from: 'if (claim_address === null || claim_address === address) return;',
    to: "if (claim_address !== '') return;",
    tests: claims,
    grep: 'all of it, once',
  },
  {
    name: 'asset_is_claimed_in_part',
    file: ROUNDS,
    from: 'amount: BigInt(claimed_supply!)',
    to: 'amount: BigInt(claimed_supply!) - 1n',
    tests: claims,
    grep: 'all of it, once',
  },
  {
    name: 'tree_with_many_nfts_holds_up_the_others',
    file: OPEN,
    from: "partition by kind = 'nft', status, root_id order by id",
    to: "partition by kind = 'nft', status order by id",
    tests: groups,
    grep: 'take turns',
  },
  {
    name: 'nfts_are_minted_one_after_the_other',
    file: OPEN,
    from: 'const GROUP_MAX = 15;',
    to: 'const GROUP_MAX = 1;',
    tests: groups,
    grep: 'three rounds',
  },
  {
    name: 'group_of_nfts_is_signed_beside_another',
    file: DEPLOY,
    from: 'if (isAsRead && isAlone) return findings;',
    to: 'if (isAsRead || isAlone || !isAlone) return findings;',
    tests: groups,
    grep: 'at the same time',
  },
  {
    name: 'group_of_nfts_is_larger_than_the_wallet_pays_for',
    file: GROUP,
    from: 'const group = toSign.slice(0, affordable);',
    to: 'const group = toSign;',
    tests: groups,
    grep: 'money for',
  },
  {
    name: 'nft_of_a_group_keeps_its_fee_when_the_group_failed',
    file: GROUP,
    from: '...(isGivenUp && { isGivenUp }),',
    to: '...(isGivenUp && fate && { fate }),',
    tests: groups,
    grep: 'fail together',
  },
  {
    name: 'signer_of_collections_is_believed',
    file: 'workers/gateways/solana/signer.ts',
    from: 'if (transaction.verifySignatures()) return;',
    to: 'if (signature.length === 64) return;',
    tests: ['test/tokens/collection_signer.test.ts'],
    grep: 'is not believed',
  },
  {
    name: 'token_is_signed_again_while_it_is_valid',
    file: LOOK,
    from: 'if (fate.asOf > newest.last_valid) {',
    to: 'if (fate.asOf > 0) {',
    tests: faults,
    grep: 'taken no more',
  },
  {
    name: 'one_forgetful_indexer_is_believed',
    file: GATEWAY,
    from: 'if (pending || found.some(Boolean)) return',
    to: 'if (found.every(Boolean)) return',
    tests: faults,
    grep: 'alone does not know',
  },
  {
    name: 'nft_is_signed_again_with_the_next_number',
    file: GROUP,
    from: '(number ?? next + at) !== next + at ||',
    to: 'number === undefined ||',
    tests: faults,
    grep: 'no second NFT',
  },
  {
    name: 'token_that_failed_keeps_its_fee',
    file: DEPLOY,
    from: 'await refundCharge(tx, { chargeId: locked.charge_id, cause: `token:${id}`, amount });',
    to: 'void amount;',
    tests: faults,
    grep: 'gives the fee back',
  },
  {
    name: 'token_is_signed_from_an_empty_wallet',
    file: ROUNDS,
    from: 'if (spendable < cost) {',
    to: 'if (spendable < 0n) {',
    tests: faults,
    grep: 'waits for money',
  },
  {
    name: 'node_of_another_network_is_asked',
    file: 'workers/gateways/algorand/nodes.ts',
    from: "if (Buffer.from(hash ?? []).toString('base64') === issuer.genesisHash) return;",
    to: 'if (hash) return;',
    tests: faults,
    grep: 'another network',
  },
  {
    name: 'token_is_sent_before_it_is_stored',
    file: ROUNDS,
    from: "  crashPoint('T0', [String(token.id)]);",
    to: "  await tokens.send(signed.bytes);\n  crashPoint('T0', [String(token.id)]);",
    tests: killed,
  },
  {
    name: 'name_is_counted_in_characters',
    file: 'shared/domains/tokens/token_texts.ts',
    from: 'if (Buffer.byteLength(text) <= bytesMax) return text;',
    to: 'if (text.length <= bytesMax) return text;',
    tests,
    grep: 'more than 32 bytes',
  },
  {
    name: 'agent_has_two_collections',
    file: 'shared/domains/tokens/begin_token.ts',
    from: "on conflict (agent_id) where kind = 'collection' and status <> 'failed' do nothing",
    to: 'on conflict (call_id) do nothing',
    tests: ['test/tokens/solana_collection.test.ts'],
    grep: 'however many are asked for at once',
  },
  {
    name: 'address_of_a_collection_is_of_its_minute',
    file: 'workers/gateways/solana/collection_transaction.ts',
    from: "createHash('sha256').update(key)",
    to: "createHash('sha256').update(`${key}${process.hrtime.bigint()}`)",
    tests: collections,
    grep: 'makes no second one',
  },
  {
    name: 'collection_can_be_stopped_with_a_lamport',
    file: 'workers/gateways/solana/collection_transaction.ts',
    from: '    SystemProgram.allocate({',
    to: [
      '    SystemProgram.createAccountWithSeed({',
      '      fromPubkey: owner,',
      '      newAccountPubkey: mint,',
      '      lamports: rent,',
    ].join('\n'),
    tests: collections,
    grep: 'has sent a lamport',
  },
  {
    name: 'one_forgetful_provider_is_believed',
    file: 'workers/gateways/solana/collections.ts',
    from: 'isKnown ||= seen.some(({ statuses }) => isPossiblyTaken(statuses[at]));',
    to: 'isKnown &&= seen.every(({ statuses }) => isPossiblyTaken(statuses[at]));',
    tests: collections,
    grep: 'alone does not know it',
  },
  {
    name: 'provider_says_what_an_account_keeps',
    file: 'workers/gateways/solana/collections.ts',
    from: 'if (rent > COSTS.collection) throw',
    to: 'if (rent < 0) throw',
    tests: collections,
    grep: 'than it needs',
  },
  {
    name: 'supply_beyond_64_bits_is_taken',
    file: 'shared/domains/tokens/issue_asa.ts',
    from: 'if (totalSupply > SUPPLY_MAX) {',
    to: 'if (totalSupply < 0n) {',
    tests,
    grep: 'beyond 64 bits',
  },
  {
    name: 'mistyped_address_gets_an_nft',
    file: 'shared/domains/tokens/mint_nft.ts',
    from: '!isAlgorandAddress(address) || address === ZERO',
    to: 'address === ZERO',
    tests,
    grep: 'mistyped',
  },
  {
    name: 'tokens_of_others_are_shown',
    file: 'shared/domains/tokens/token.ts',
    from: "'t.id = $1 and t.kind = $2 and t.agent_id = $3'",
    to: "'t.id = $1 and t.kind = $2 and $3 > 0'",
    tests,
    grep: 'tokens of others',
  },
  {
    name: 'asset_has_the_name_of_a_currency',
    file: 'shared/domains/tokens/token_texts.ts',
    from: 'if (!RESERVED.includes(letters)) return name;',
    to: 'if (!RESERVED.includes(name)) return name;',
    tests,
  },
  {
    name: 'name_of_an_asset_is_changed',
    file: 'shared/kernel/text.ts',
    from: "if (shownAs === 'exact' && seen !== text) {",
    to: 'if (seen === undefined) {',
    tests,
  },
  {
    name: 'tokens_of_others_are_listed',
    file: 'shared/domains/tokens/token_page.ts',
    from: 't.agent_id = $1 and t.id',
    to: '$1::bigint > 0 and t.id',
    tests,
  },
];
