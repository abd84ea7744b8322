import type { Mutation } from '../mutation.ts';

const CHECKS = 'migrations/functions/policy_checks.sql';
const RULES = 'migrations/functions/broken_rule.sql';
const CHARGES = 'test/wallet/charge.test.ts';
const MIDNIGHT = 'test/wallet/midnight.test.ts';
const LIMITS = 'test/orders/purchase_limits.test.ts';
const BATCHES = 'test/orders/purchase_batch.test.ts';
const PREVIEWS = 'test/orders/prepare_purchase_payload.test.ts';
const POLICY = 'shared/domains/wallet/policy.ts';

export const POLICIES: readonly Mutation[] = [
  {
    name: 'day_of_a_spend_goes_back',
    file: 'migrations/functions/spend_day.sql',
    from: "greatest(day, (clock_timestamp() at time zone 'UTC')::date)",
    to: "(clock_timestamp() at time zone 'UTC')::date",
    tests: [MIDNIGHT],
  },
  {
    name: 'day_of_a_spend_is_the_servers',
    file: 'migrations/functions/spend_day.sql',
    from: "(clock_timestamp() at time zone 'UTC')::date",
    to: 'clock_timestamp()::date',
    tests: [MIDNIGHT],
  },
  {
    name: 'day_of_a_policy_is_the_servers',
    file: CHECKS,
    from: "(clock_timestamp() at time zone 'UTC')::date",
    to: 'clock_timestamp()::date',
    tests: [MIDNIGHT],
  },
  {
    name: 'day_of_a_policy_goes_back',
    file: CHECKS,
    from: 'greatest(root.day, v_today)',
    to: 'v_today',
    tests: [MIDNIGHT],
  },
  {
    name: 'limit_ignores_the_batch_before',
    file: CHECKS,
    from: 'sum(c.amount) over (partition by c.member_id order by c.n)',
    to: 'c.amount',
    tests: [BATCHES],
  },
  {
    name: 'limit_counts_the_batch_of_others',
    file: CHECKS,
    from: 'over (partition by c.member_id order by c.n)',
    to: 'over (order by c.n, c.depth)',
    tests: [BATCHES],
  },
  {
    name: 'owners_policy_does_not_bind',
    file: CHECKS,
    from: 'unnest(agent.lineage)',
    to: 'unnest(array [agent.id])',
    tests: [CHARGES],
  },
  {
    name: 'agents_without_a_policy_are_not_checked',
    file: CHECKS,
    from: 'left join policy',
    to: 'join policy',
    tests: [BATCHES],
  },
  {
    name: 'suspended_agents_spend',
    file: RULES,
    from: "when p_status <> 'active' then 'suspended'",
    to: "when false then 'suspended'",
    tests: [CHARGES],
  },
  {
    name: 'no_types_named_means_none',
    file: RULES,
    from: '\n     and cardinality(p_policy.allowed_product_types) > 0',
    to: '',
    tests: [CHARGES],
  },
  {
    name: 'types_of_a_policy_do_not_bind',
    file: RULES,
    from: 'p_type <> all (',
    to: 'p_type = any (',
    tests: [CHARGES],
  },
  {
    name: 'limit_at_a_time_excludes_itself',
    file: RULES,
    from: 'p_amount > p_policy.max_spend_per_tx',
    to: 'p_amount >= p_policy.max_spend_per_tx',
    tests: [BATCHES],
  },
  {
    name: 'limit_a_day_excludes_itself',
    file: RULES,
    from: 'p_spent > p_policy.daily_spend_limit',
    to: 'p_spent >= p_policy.daily_spend_limit',
    tests: [LIMITS],
  },
  {
    name: 'limit_a_day_takes_the_amount_alone',
    file: RULES,
    from: 'p_spent > p_policy.daily_spend_limit',
    to: 'p_amount > p_policy.daily_spend_limit',
    tests: [LIMITS],
  },
  {
    name: 'policy_counts_spends_of_other_days',
    file: CHECKS,
    from: 'case when spend.day = greatest(root.day, v_today) then spend.amount else 0 end',
    to: 'spend.amount',
    tests: [PREVIEWS],
    grep: 'what is spent today',
  },
  {
    name: 'farthest_policy_is_named_first',
    file: CHECKS,
    from: 'c.depth desc',
    to: 'c.depth',
    tests: [PREVIEWS],
    grep: 'names the first rule',
  },
  {
    name: 'daily_limit_is_told_before_the_limit_at_a_time',
    file: POLICY,
    from: `  'max_spend_per_tx',
  'daily_spend_limit',
  'approval',`,
    to: `  'daily_spend_limit',
  'max_spend_per_tx',
  'approval',`,
    tests: [PREVIEWS],
    grep: 'names the first rule',
  },
  {
    name: 'what_would_pass_ignores_what_is_spent',
    file: POLICY,
    from: '[daily_spend_limit - spent_today]',
    to: '[daily_spend_limit]',
    tests: [PREVIEWS],
    grep: 'what is spent today',
  },
  {
    name: 'what_would_pass_is_the_greatest_limit',
    file: POLICY,
    from: 'limits.reduce((a, b) => (a < b ? a : b), 1_000_000_000_000n)',
    to: 'limits.reduce((a, b) => (a > b ? a : b), 0n)',
    tests: [PREVIEWS],
    grep: 'names the first rule',
  },
  {
    name: 'what_would_pass_is_negative',
    file: POLICY,
    from: 'return least > 0n ? least : 0n;',
    to: 'return least;',
    tests: [PREVIEWS],
    grep: 'what is spent today',
  },
  {
    name: 'limit_resets_today',
    file: POLICY,
    from: 'now.getUTCDate() + 1',
    to: 'now.getUTCDate()',
    tests: [PREVIEWS],
    grep: 'what is spent today',
  },
];
