import type { Mutation } from '../mutation.ts';

const LOOK = 'shared/domains/policies/anomalies/look.ts';
const FIND = 'shared/domains/policies/anomalies/find_anomalies.ts';
const tests = ['test/policies/anomalies.test.ts'];

const WATCH = 'shared/domains/policies/watch_spending.ts';
const NEAR = ['test/inbox/near_limit.test.ts'];

/** Agents that have spent most of what they may spend in a day. */
const NEAR_LIMITS: readonly Mutation[] = [
  {
    name: 'near_limit_is_told_to_the_agent',
    file: WATCH,
    from: 'agentId: root_id,',
    to: 'agentId: agent_id,',
    tests: NEAR,
  },
  {
    name: 'near_limit_is_told_too_early',
    file: 'shared/domains/policies/policy.ts',
    from: 'p.daily_spend_limit * 0.8',
    to: 'p.daily_spend_limit * 0.79',
    tests: NEAR,
  },
];

/** Odd behaviour of agents, and what becomes of it. */
export const ANOMALIES: readonly Mutation[] = [
  ...NEAR_LIMITS,
  {
    name: 'what_is_allowed_is_odd',
    file: LOOK,
    from: 'having ${count} > ${most}',
    to: 'having ${count} >= ${most}',
    tests,
    grep: 'same_purchase once',
  },
  {
    name: 'odd_rows_are_found_again',
    file: LOOK,
    from: "select agent_id, until as at from anomaly\n             where rule = '${rule}'",
    to: "select agent_id, until as at from anomaly\n             where rule = '-${rule}'",
    tests,
    grep: 'finds what goes on',
  },
  {
    name: 'what_an_owner_has_forgiven_is_odd',
    file: LOOK,
    from: "where status = 'active' and ${recent",
    to: "where status = 'none' and ${recent",
    tests,
    grep: 'forgives',
  },
  {
    name: 'vault_opened_twice_is_two_vaults',
    file: LOOK,
    from: "count: 'count(distinct object_id)'",
    to: "count: 'count(*)'",
    tests,
    grep: 'vault_harvest',
  },
  {
    name: 'purchases_of_all_products_are_of_one',
    file: LOOK,
    from: 'of: `select buyer_id as agent_id, created_at as at, product_id from orders',
    to: 'of: `select buyer_id as agent_id, created_at as at, 1::bigint as product_id from orders',
    tests,
    grep: 'counts nothing that others decide',
  },
  {
    name: 'day_is_compared_with_the_sum_of_the_week',
    file: LOOK,
    from: 'and s.amount * ${DAILY_SPEND.days} >',
    to: 'and s.amount >',
    tests,
    grep: 'compares a day',
  },
  {
    name: 'day_is_of_the_agent_that_spends_alone',
    file: LOOK,
    from: 'select unnest(lineage) from',
    to: 'select r.agent_id from',
    tests,
    grep: 'compares a day',
  },
  {
    name: 'budgets_of_tasks_are_no_debits',
    file: LOOK,
    from: 'from task where ${recent(',
    to: 'from task where false and ${recent(',
    tests,
    grep: 'compares a day',
  },
  {
    name: 'refusals_that_others_cause_are_counted',
    file: 'shared/domains/policies/anomalies/refusal_counts.ts',
    from: 'agentId === 0 || !(COUNTED_REFUSALS as readonly string[]).includes(code)',
    to: 'agentId === 0 || !COUNTED_REFUSALS',
    tests,
    grep: 'counts nothing that others decide',
  },
  {
    name: 'refusals_are_not_counted',
    file: 'shared/performing/perform.ts',
    from: 'if (error instanceof Refusal) context.refusalCounts.note(call.caller, error.code);',
    to: '',
    tests,
    grep: 'refusal_burst',
  },
  {
    name: 'policy_above_suspends_nobody',
    file: FIND,
    from: 'policy.agent_id = any (lineage) and',
    to: 'policy.agent_id = agent.id and',
    tests,
    grep: 'suspends where a policy',
  },
  {
    name: 'any_policy_suspends',
    file: FIND,
    from: 'any (lineage) and auto_suspend_on_anomaly)',
    to: 'any (lineage))',
    tests,
    grep: 'refusal_burst',
  },
  {
    name: 'suspension_of_another_by_an_anomaly_is_right',
    file: 'shared/domains/policies/proofs.ts',
    from: 's.agent_id <> a.agent_id or s.status',
    to: 's.status',
    tests: ['test/kernel/audit.test.ts'],
    grep: 'suspended another agent',
  },
];
