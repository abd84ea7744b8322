import type { Mutation } from '../mutation.ts';

const ROUNDS = 'shared/domains/tokens/rounds.ts';
const DEPLOY = 'shared/domains/tokens/deployment.ts';
const GATEWAY = 'workers/gateways/algorand/tokens.ts';
const faults = ['test/tokens/faults.test.ts'];
const tests = ['test/tokens/issue_asa.test.ts'];
const collections = ['test/tokens/collection_faults.test.ts'];
const killed = ['test/tokens/killed_workers.test.ts'];

/** Tokens that are issued, and what was paid for them. */
export const TOKENS_ISSUED: readonly Mutation[] = [
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
    file: ROUNDS,
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
    file: ROUNDS,
    from: 'const number = token.number ?? next;',
    to: 'const number = next;',
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
