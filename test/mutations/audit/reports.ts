import type { Mutation } from '../mutation.ts';

const ROLL_UP = 'migrations/functions/reports/roll_up_money.sql';
const MOVEMENT = 'migrations/functions/reports/movement_of.sql';
const DAILY = 'shared/domains/ledger/daily_money.ts';
const REPORT = 'shared/domains/wallet/reports/money_report.ts';
const UPGRADE = ['test/migrations/past_balances.test.ts'];
const PAST = 'migrations/functions/reports/keep_past_balances.sql';
const SUMS = ['test/wallet/reports/roll_up_money.test.ts'];
const REPORTS = ['test/wallet/reports/money_report.test.ts'];
const STATEMENTS = ['test/wallet/statement_filters.test.ts'];

/** Reports of money, and who sees them. */
export const REPORTS_OF_MONEY: readonly Mutation[] = [
  {
    name: 'sums_skip_what_is_committed_late',
    file: ROLL_UP,
    from: 'case when v_oldest >= v_mark.next_tx then least(v_mark.next_id, v_from + p_most)',
    to: 'case when true then least(v_mark.drawn, v_from + p_most)',
    tests: SUMS,
  },
  {
    name: 'sums_are_made_twice_at_once',
    file: ROLL_UP,
    from: 'select * into v_mark from money_watermark for update;',
    to: 'select * into v_mark from money_watermark;',
    tests: SUMS,
  },
  {
    name: 'what_came_back_is_summed_up_as_spent',
    file: ROLL_UP,
    from: 'case when m.is_back then -(t.credit + t.cash)',
    to: 'case when false then -(t.credit + t.cash)',
    tests: REPORTS,
  },
  {
    name: 'work_that_was_paid_is_no_sale',
    file: MOVEMENT,
    from: "p_kind = 'task.release' and t.id = p_ref",
    to: 'false and t.id = p_ref',
    tests: REPORTS,
  },
  {
    name: 'report_counts_transfers_that_are_summed_up',
    file: DAILY,
    from: `             where from_account = 'treasury' and from_id = \${of.root}
               and id > (select id from money_watermark)`,
    to: `             where from_account = 'treasury' and from_id = \${of.root}`,
    tests: REPORTS,
  },
  {
    name: 'child_sees_what_its_owner_spent',
    file: REPORT,
    from: 'agentId === rootId ?',
    to: 'rootId > 0 ?',
    tests: REPORTS,
  },
  {
    name: 'child_asks_for_any_agent',
    file: 'shared/domains/agents/tree/below.ts',
    from: 'where id = $1 and $2::bigint = any (lineage)',
    to: 'where id = $1 and $2::bigint > 0',
    tests: REPORTS,
  },
  {
    name: 'period_before_begins_a_day_late',
    file: REPORT,
    from: 'dayBefore(2 * days - 1)',
    to: 'dayBefore(2 * days - 2)',
    tests: REPORTS,
  },
  {
    name: 'past_balance_leaves_credit_out',
    file: PAST,
    from: 'select id, -(credit + cash) as amount',
    to: 'select id, -cash as amount',
    tests: STATEMENTS,
  },
  {
    name: 'past_balance_begins_from_nothing',
    file: PAST,
    from: 'coalesce(k.balance, 0) + sum(m.amount)',
    to: 'sum(m.amount)',
    tests: STATEMENTS,
  },
  {
    name: 'statement_counts_twice_what_a_past_balance_has',
    file: 'shared/domains/ledger/statement.ts',
    from: "where from_account = 'treasury' and from_id = $1 and id > kept.id and id < $2",
    to: "where from_account = 'treasury' and from_id = $1 and id >= kept.id and id < $2",
    tests: STATEMENTS,
  },
  {
    name: 'upgrade_keeps_past_balances_that_the_timer_keeps_again',
    file: 'migrations/0034_past_balances.sql',
    from: '(select id from money_watermark)',
    to: '(select max(id) from ledger.transfer)',
    tests: UPGRADE,
  },
  {
    name: 'upgrade_keeps_no_past_balances',
    file: 'migrations/0034_past_balances.sql',
    from: 'select keep_past_balances(0, (select id from money_watermark));',
    to: '',
    tests: UPGRADE,
  },
];
