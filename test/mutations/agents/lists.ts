import type { Mutation } from '../mutation.ts';

const OF_AGENTS = ['test/agents/of_agents.test.ts'];
const LISTS = ['test/wallet/owners_lists.test.ts'];

/** Lists that show the money and the endpoints of others. */
export const LISTS_OF_OWNERS: readonly Mutation[] = [
  {
    name: 'those_above_a_seller_are_told_to_do_what_they_may_not',
    file: 'shared/domains/orders/available_actions.ts',
    from: 'return order.seller_id === caller.agentId ? sellersActions(order) : [];',
    to: 'return sellersActions(order);',
    tests: OF_AGENTS,
  },
  {
    name: 'agents_see_the_sales_of_those_above_them',
    file: 'shared/domains/orders/get_order.ts',
    from: '$2 = any (seller.lineage)',
    to: 'seller.root_id = (select root_id from agent where id = $2)',
    tests: OF_AGENTS,
  },
  {
    name: 'tasks_of_another_agent_below_are_shown_as_its_own',
    file: 'shared/domains/tasks/parties/task_agents.ts',
    from: 'case when t.poster_id = any ($2) then t.poster_id else (',
    to: 'case when t.poster_id = any ($2) then ($2::bigint[])[1] else (',
    tests: OF_AGENTS,
  },
  {
    name: 'withdrawals_of_others_are_listed',
    file: 'shared/domains/withdrawals/list_withdrawals.ts',
    from: '`root_id = $1 and id < $2::bigint',
    to: '`$1::bigint > 0 and id < $2::bigint',
    tests: LISTS,
  },
  {
    name: 'payout_addresses_of_others_are_listed',
    file: 'shared/domains/withdrawals/list_payout_addresses.ts',
    from: 'where a.root_id = $1 and a.chain_id = $2',
    to: 'where $1::bigint > 0 and a.chain_id = $2',
    tests: LISTS,
  },
  {
    name: 'child_sees_the_deposits_of_its_owner',
    file: 'shared/domains/deposits/list_deposits.ts',
    from: "caller.agentId === caller.rootId ? 'root_id = $2'",
    to: "caller.agentId > 0 ? '$2::bigint > 0'",
    tests: LISTS,
  },
  {
    name: 'page_of_many_agents_leaves_the_newest_out',
    file: 'shared/domains/agents/tree/newest.ts',
    from: 'order by latest.id desc limit',
    to: 'order by latest.id limit',
    tests: LISTS,
  },
  {
    name: 'webhooks_of_others_are_listed',
    file: 'shared/domains/webhooks/list_webhooks.ts',
    from: 'from webhook where root_id = $1 and',
    to: 'from webhook where $1::bigint > 0 and',
    tests: LISTS,
  },
  {
    name: 'looser_limit_of_an_app_asks_nobody',
    file: 'shared/domains/policies/set_daily_limit.ts',
    from: 'const asks = fields.length > 0 && !isDecided;',
    to: 'const asks = fields.length > 100 && !isDecided;',
    tests: ['test/connections/connections.test.ts'],
    grep: 'is at high',
  },
];
