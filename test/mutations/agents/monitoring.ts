import type { Mutation } from '../mutation.ts';

const MEMBERS = 'shared/domains/policies/members.ts';
const REPORT = 'shared/domains/policies/spend_report.ts';
const tests = ['test/policies/monitor_agent.test.ts'];

/** An owner's view of the agents below it. */
export const MONITORING: readonly Mutation[] = [
  {
    name: 'report_is_of_the_agent_alone',
    file: MEMBERS,
    from: ' and $1 = any (lineage)',
    to: ' and id = $1',
    tests,
    grep: 'shows what an agent and all below',
  },
  {
    name: 'report_is_of_the_whole_tree',
    file: MEMBERS,
    from: ' and $1 = any (lineage)',
    to: '',
    tests,
    grep: 'shows what an agent and all below',
  },
  {
    name: 'report_counts_orders_of_days_before',
    file: REPORT,
    from: `orders.id >= first.id
                            and spent_on >= $2::date`,
    to: 'orders.id >= first.id',
    tests,
    grep: 'shows what an agent and all below',
  },
  {
    name: 'report_counts_what_was_refunded',
    file: REPORT,
    from: 'subtotal + fee - refunded',
    to: 'subtotal + fee',
    tests,
    grep: 'leaves out what was refunded',
  },
  {
    name: 'spends_of_a_day_are_forgotten_with_the_next',
    file: 'migrations/0001_agents.sql',
    from: 'when (old.day < new.day and old.amount > 0)',
    to: 'when (old.day > new.day and old.amount > 0)',
    tests,
    grep: 'shows what an agent and all below',
  },
  {
    name: 'refund_is_not_noted_on_a_day_that_is_over',
    file: 'migrations/functions/uncount_spends.sql',
    from: 'greatest(0, p.amount - refunded.amount)',
    to: 'p.amount',
    tests,
    grep: 'leaves out what was refunded',
  },
  {
    name: 'ids_since_a_time_begin_later',
    file: 'migrations/functions/past/first_id_since.sql',
    from: 'v_low := v_next + 1; else',
    to: 'v_low := v_next + 2; else',
    tests,
    grep: 'shows what an agent and all below',
  },
  {
    name: 'monitor_shows_what_waits_elsewhere_in_the_tree',
    file: 'shared/domains/policies/monitor_agent.ts',
    from: '$3 = any (agent.lineage)',
    to: '$3 > 0',
    tests,
    grep: 'wait for an owner',
  },
];
