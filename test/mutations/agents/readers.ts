import type { Mutation } from '../mutation.ts';

const SIGNER = 'workers/gateways/algorand/signer.ts';
const FACILITATOR = 'workers/gateways/x402/facilitators.ts';
const COMPARE = 'shared/domains/withdrawals/compare_payouts.ts';
const PRODUCT = ['test/products/get_product.test.ts'];
const HOSTILE = ['test/x402/hostile.test.ts'];
const WATCH = 'shared/domains/deposits/chain/watch_chains.ts';

/** A reader's view of others, and what is believed of others. */
export const READERS: readonly Mutation[] = [
  {
    name: 'paused_product_is_shown_to_everybody',
    file: 'shared/domains/products/get_product.ts',
    from: '(${ON_SALE} or seller.root_id = $2)',
    to: '(${ON_SALE} or seller.root_id <> $2 or true)',
    tests: PRODUCT,
  },
  {
    name: 'everybody_sees_a_product_as_its_seller',
    file: 'shared/domains/products/get_product.ts',
    from: 'return listing.root_id === caller.rootId ? sellersViewOf',
    to: 'return listing.root_id > 0 ? sellersViewOf',
    tests: PRODUCT,
  },
  {
    name: 'bidders_see_the_work_of_others_among_their_tasks',
    file: 'shared/domains/tasks/task_mine.ts',
    from: 'and (t.poster_id = any ($2) or of_whom.bidder_id = any ($2))',
    to: 'and cardinality($2) > 0',
    tests: ['test/tasks/task_board.test.ts'],
  },
  {
    name: 'tasks_of_others_are_mine',
    file: 'shared/domains/tasks/task_mine.ts',
    from: '(select id from task where poster_id = asked.id and id',
    to: '(select id from task where asked.id > 0 and id',
    tests: ['test/tasks/task_board.test.ts'],
  },
  {
    name: 'connections_of_others_are_listed',
    file: 'shared/domains/connections/list_connections.ts',
    from: "'c.owner_id = $1 and c.id",
    to: "'$1 > 0 and c.id",
    tests: ['test/connections/connections.test.ts'],
  },
  {
    name: 'collection_of_another_is_shown',
    file: 'shared/domains/tokens/solana_collection.ts',
    from: '`t.agent_id = $1 and',
    to: '`$1 > 0 and',
    tests: ['test/tokens/solana_collection.test.ts'],
  },
  {
    name: 'quota_of_email_is_of_another_wallet',
    file: 'shared/domains/email/email_quota.ts',
    from: 'balanceOf(tx.db, tx.caller.rootId)',
    to: 'balanceOf(tx.db, tx.caller.agentId)',
    tests: ['test/email/email_quota.test.ts'],
  },
  {
    name: 'transaction_that_gives_the_wallet_away_is_signed',
    file: SIGNER,
    from: 'for (const transaction of transactions) assertHarmless(transaction);',
    to: 'void assertHarmless;',
    tests: ['test/tokens/signer.test.ts'],
  },
  {
    name: 'wallet_that_issues_is_emptied',
    file: SIGNER,
    from: 'if (rekeyTo || payment?.closeRemainderTo || assetTransfer?.closeRemainderTo) {',
    to: 'if (rekeyTo) {',
    tests: ['test/tokens/signer.test.ts'],
  },
  {
    name: 'signer_of_tokens_is_believed',
    file: SIGNER,
    from: 'if (algosdk.decodeSignedTransaction(bytes).txn.txID() === one.txID()) return bytes;',
    to: 'if (bytes.length > 0 || one.txID()) return bytes;',
    tests: ['test/tokens/signer.test.ts'],
  },
  {
    name: 'payment_is_settled_that_was_not_verified',
    file: FACILITATOR,
    from: 'if (!verified.isValid) return',
    to: 'if (verified.isValid === undefined) return',
    tests: HOSTILE,
  },
  {
    name: 'answer_that_says_nothing_is_a_refusal',
    file: FACILITATOR,
    from: "({ success }) => typeof success === 'boolean',",
    to: "({ success }) => typeof success !== 'symbol',",
    tests: HOSTILE,
    grep: 'says nothing',
  },
  {
    name: 'facilitator_writes_into_our_answers',
    file: FACILITATOR,
    from: '/^[\\w.-]{1,80}$/.test(reason)',
    to: '/^/.test(reason)',
    tests: HOSTILE,
    grep: 'in the words of',
  },
  {
    name: 'payments_of_the_wallet_are_compared_once',
    file: COMPARE,
    from: 'set compared_to = greatest(compared_to, $2), usdc',
    to: 'set compared_to = greatest(compared_to, $2) + 1000000, usdc',
    tests: ['test/withdrawals/withdraw.test.ts', 'test/withdrawals/watched.test.ts'],
  },
  {
    name: 'first_block_of_a_page_is_not_compared',
    file: COMPARE,
    from: 'const from = to + 1;',
    to: 'const from = to + 2;',
    tests: ['test/withdrawals/withdraw.test.ts'],
    grep: 'pays cash out',
  },
  {
    name: 'network_is_searched_twice_at_once',
    file: WATCH,
    from: 'where known.busy_until is null or known.busy_until < now()',
    to: 'where true',
    tests: ['test/deposits/chain/watch.test.ts'],
    grep: 'one job at a time',
  },
];
