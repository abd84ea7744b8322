import type { Mutation } from '../mutation.ts';

const SPEND = 'shared/domains/wallet/spend.ts';
const CHARGE = 'shared/domains/wallet/charge.ts';
const CHARGES = 'test/wallet/charge.test.ts';
const UNCOUNT = 'migrations/functions/uncount_spends.sql';
const REFUNDS = 'test/wallet/refund_charge.test.ts';
const ORDER_REFUNDS = 'test/orders/refund_order.test.ts';
const TERMS = 'test/orders/purchase_terms.test.ts';
const EMAIL_QUOTA = 'test/email/email_quota.test.ts';
const PROXIES = 'test/proxies/proxy_list_money.test.ts';
const ROWS = 'test/orders/references.test.ts';

export const METERED_CALLS: readonly Mutation[] = [
  {
    name: 'charge_ignores_policies',
    file: SPEND,
    from: '  const deferral = await assertAllowed(tx, spend, job);\n',
    to: '  const deferral = undefined;\n',
    tests: [CHARGES],
  },
  {
    name: 'last_micro_dollar_cannot_be_spent',
    file: SPEND,
    from: 'if (balance >= amount) return;',
    to: 'if (balance > amount) return;',
    tests: [CHARGES],
  },
  {
    name: 'credit_pays_where_only_cash_may',
    file: SPEND,
    from: '{ ...holds, credit: 0n }',
    to: 'holds',
    tests: [TERMS],
  },
  {
    name: 'charge_counts_to_the_agent_alone',
    file: SPEND,
    from: 'any (array(select unnest(lineage) from agent where id = $1)))',
    to: '$1)',
    tests: [CHARGES],
  },
  {
    name: 'refund_frees_the_limits_of_later_days',
    file: UNCOUNT,
    from: 'and spend.day = refunded.day',
    to: 'and spend.day >= refunded.day',
    tests: [REFUNDS, ORDER_REFUNDS],
  },
  {
    name: 'refund_frees_the_limits_of_the_agent_alone',
    file: UNCOUNT,
    from: 'unnest(agent.lineage) as member(id)',
    to: 'unnest(array [agent.id]) as member(id)',
    tests: [ORDER_REFUNDS],
  },
  {
    name: 'call_is_charged_twice',
    file: 'migrations/0006_charges.sql',
    from: 'call_id         uuid not null unique',
    to: 'call_id         uuid not null',
    tests: [CHARGES],
  },
  {
    name: 'more_is_given_back_than_was_charged',
    file: 'migrations/0006_charges.sql',
    from: '(refunded_credit between 0 and credit and refunded_cash between 0 and cash)',
    to: '(refunded_credit >= 0 and refunded_cash >= 0)',
    tests: [REFUNDS],
  },
  {
    name: 'charge_records_the_wrong_funds',
    file: CHARGE,
    from: '      credit,\n      cash,\n      day,',
    to: '      cash,\n      credit,\n      day,',
    tests: [CHARGES],
  },
  {
    name: 'proxies_cost_the_price_of_an_email',
    file: CHARGE,
    from: 'proxy: { unitPrice: 1_000n',
    to: 'proxy: { unitPrice: 2_000n',
    tests: [CHARGES],
  },
  {
    name: 'emails_count_as_proxies',
    file: CHARGE,
    from: "productType: 'api_service'",
    to: "productType: 'proxy_service'",
    tests: [CHARGES],
  },
  {
    name: 'charge_is_not_counted',
    file: CHARGE,
    from: 'const day = await countSpend(tx, amount);',
    to: 'const day = await countSpend(tx, 0n);',
    tests: [CHARGES],
  },
  {
    name: 'look_before_a_charge_ignores_policies',
    file: CHARGE,
    from: '  const deferral = await assertAllowed(tx, spend, metered.parent);\n',
    to: '  const deferral = undefined;\n',
    tests: [CHARGES],
  },
  {
    name: 'look_before_a_charge_ignores_the_balance',
    file: CHARGE,
    from: '  assertAffords({ amount: spend.amount, holds, addedBy: addedBy(tx) });\n',
    to: '',
    tests: [CHARGES],
  },
  {
    name: 'units_left_ignore_a_broken_rule',
    file: CHARGE,
    from: '  if (checks.some(({ broken }) => broken)) return 0;\n',
    to: '',
    tests: [EMAIL_QUOTA],
  },
  {
    name: 'units_left_ignore_the_balance',
    file: CHARGE,
    from: '(a < b ? a : b), balance)',
    to: '(a < b ? a : b), 10n ** 12n)',
    tests: [EMAIL_QUOTA],
  },
  {
    name: 'units_of_yesterday_are_of_today',
    file: CHARGE,
    from: "and created_at >= date_trunc('day', now(), 'UTC')",
    to: '',
    tests: [EMAIL_QUOTA],
  },
  {
    name: 'units_of_the_owner_are_the_childs',
    file: CHARGE,
    from: ' and $2 = any (lineage)',
    to: ' and $2::bigint is not null',
    tests: [EMAIL_QUOTA],
  },
  {
    name: 'partial_charge_ignores_policies',
    file: 'shared/domains/wallet/affordable.ts',
    from: '[allowed, sumOf(spendableOf(holds)), amount]',
    to: '[sumOf(spendableOf(holds)), amount]',
    tests: [PROXIES],
  },
  {
    name: 'partial_charge_ignores_the_balance',
    file: 'shared/domains/wallet/affordable.ts',
    from: '[allowed, sumOf(spendableOf(holds)), amount]',
    to: '[allowed, amount]',
    tests: [PROXIES],
  },
  {
    name: 'charge_adds_to_what_other_days_spent',
    file: SPEND,
    from: 'case when spend.day = today.day then spend.amount else 0 end + $3',
    to: 'spend.amount + $3',
    tests: [CHARGES],
    grep: 'count to their day alone',
  },
  {
    name: 'refund_frees_the_limits_of_earlier_days',
    file: UNCOUNT,
    from: 'p.agent_id = refunded.id and p.day = refunded.day',
    to: 'p.agent_id = refunded.id and p.day <= refunded.day',
    tests: ['test/policies/monitor_agent.test.ts'],
    grep: 'leaves out what was refunded',
  },
  {
    name: 'charge_may_cost_another_sum',
    file: 'migrations/0006_charges.sql',
    from: ' and credit + cash = unit_price * units',
    to: '',
    tests: [ROWS],
    grep: 'of another sum',
  },
  {
    name: 'units_left_ignore_what_is_spent',
    file: CHARGE,
    from: 'daily_spend_limit - spent_today',
    to: 'daily_spend_limit',
    tests: [EMAIL_QUOTA],
    grep: 'limits above an agent',
  },
];
