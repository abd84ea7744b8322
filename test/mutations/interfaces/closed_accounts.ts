import type { Mutation } from '../mutation.ts';

const tests = ['test/console/account/closed_account.test.ts'];

/** Rules of accounts that their owners have closed. */
export const CLOSED_ACCOUNTS: readonly Mutation[] = [
  {
    name: 'closed_account_is_resumed',
    file: 'shared/domains/policies/suspension.ts',
    from: 'await holdOpenAccount(db, agentId);',
    to: 'if (agentId < 0) await holdOpenAccount(db, agentId);',
    tests,
    grep: 'is not resumed',
  },
  {
    name: 'closed_account_gets_credit',
    file: 'shared/domains/wallet/give_goodwill.ts',
    from: 'await holdOpenAccount(tx.db, agent_id);',
    to: 'if (agent_id < 0) await holdOpenAccount(tx.db, agent_id);',
    tests,
    grep: 'is not resumed',
  },
  {
    name: 'closed_bidder_is_hired',
    file: 'shared/domains/tasks/task_accept_bid.ts',
    from: 'if (await isClosed(tx.db, bid.bidder_id)) {',
    to: 'if (bid.bidder_id < 0 && (await isClosed(tx.db, bid.bidder_id))) {',
    tests,
    grep: 'is given no task',
  },
  {
    name: 'closing_account_is_not_held_open',
    file: 'shared/domains/agents/account/open_account.ts',
    from: 'where id = (select root_id from agent where id = $1) for share`',
    to: 'where id = (select root_id from agent where id = $1)`',
    tests,
    grep: 'is given no task',
  },
  {
    name: 'closed_account_gets_a_webhook',
    file: 'shared/domains/webhooks/create_webhook.ts',
    from: 'await holdLiveKey(tx);',
    to: 'if (rootId < 0) await holdLiveKey(tx);',
    tests,
    grep: 'has no webhook',
  },
  {
    name: 'closed_account_gets_a_passkey',
    file: 'shared/domains/agents/factors/passkeys.ts',
    from: 'await holdOpenAccount(db, agentId);',
    to: 'if (agentId < 0) await holdOpenAccount(db, agentId);',
    tests,
    grep: 'has no webhook',
  },
  {
    name: 'closing_leaves_cards_at_stripe',
    file: 'shared/domains/closing/close_account.ts',
    from: 'if (saved && tx.config.deposits.card) {',
    to: 'if (saved && !tx.config.deposits.card) {',
    tests: ['test/console/account/closing_card.test.ts'],
    grep: 'is removed',
  },
  {
    name: 'closed_account_saves_a_card',
    file: 'shared/domains/deposits/card/settle_card_payment.ts',
    from: 'if (await isClosed(tx.db, own.root_id)) {',
    to: 'if (own.root_id < 0 && (await isClosed(tx.db, own.root_id))) {',
    tests: ['test/console/account/closing_card.test.ts'],
    grep: 'is removed',
  },
];
