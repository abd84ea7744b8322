import type { Mutation } from '../mutation.ts';

const machine = ['test/operators/operator_machine.test.ts'];
const evidence = ['test/operators/dispute_evidence.test.ts'];
const OPERATORS = 'shared/domains/operators';

/** The page of the machine, and the evidence of a dispute. */
export const OPERATOR_PAGES: readonly Mutation[] = [
  {
    name: 'evidence_is_for_agents_too',
    file: `${OPERATORS}/dispute_evidence.ts`,
    from: "access: 'operator',",
    to: "access: 'read',",
    tests: evidence,
    grep: 'for operators alone',
  },
  {
    name: 'machine_is_for_agents_too',
    file: `${OPERATORS}/operator_machine.ts`,
    from: "access: 'operator',",
    to: "access: 'read',",
    tests: evidence,
    grep: 'for operators alone',
  },
  {
    name: 'evidence_is_of_orders_without_a_dispute',
    file: `${OPERATORS}/evidence/order_evidence.ts`,
    from: `from dispute d
    join orders o on o.id = d.order_id`,
    to: `from (select id as order_id, created_at as opened_at, null::timestamptz as responded_at,
                 null as reason, null as response, null as outcome, null as note,
                 null::timestamptz as closed_at from orders) d
    join orders o on o.id = d.order_id`,
    tests: evidence,
    grep: 'for operators alone',
  },
  {
    name: 'evidence_has_the_opening_of_another_order',
    file: `${OPERATORS}/evidence/order_evidence.ts`,
    from: "where first and object_kind = 'order' and object_id = o.id))",
    to: "where first and object_kind = 'order' order by object_id desc limit 1))",
    tests: evidence,
    grep: 'for operators alone',
  },
  {
    name: 'evidence_is_of_the_listing_of_now',
    file: `${OPERATORS}/evidence/order_evidence.ts`,
    from: 'then p.description else v.description end',
    to: 'then p.description else p.description end',
    tests: evidence,
    grep: 'in the order of time',
  },
  {
    name: 'evidence_counts_units_of_other_orders',
    file: `${OPERATORS}/evidence/order_evidence.ts`,
    from: 'from stock where order_id = o.id)',
    to: 'from stock where product_id = o.product_id)',
    tests: evidence,
    grep: 'in the order of time',
  },
  {
    name: 'evidence_of_a_task_has_the_results_of_others',
    file: `${OPERATORS}/evidence/task_evidence.ts`,
    from: 'from submission s where s.bid_id = t.bid_id)',
    to: 'from submission s where s.task_id = t.id)',
    tests: evidence,
    grep: 'every result of its worker',
  },
  {
    name: 'evidence_of_labor_has_the_answers_to_all_units',
    file: `${OPERATORS}/evidence/labor_evidence.ts`,
    from: 'where o.unit_id = c.unit_id and',
    to: 'where o.task_id = c.task_id and',
    tests: evidence,
    grep: 'the known answer',
  },
  {
    name: 'page_asks_for_more_than_a_list_has',
    file: 'api/console/operator/decisions/decisions.tsx',
    from: '? { limit: 10,',
    to: '? { limit: 20,',
    tests: ['test/console/pages.test.ts'],
    grep: 'ask in their cards',
  },
  {
    name: 'reasons_of_an_accepted_appeal_are_lost',
    file: 'shared/domains/labor/decide_labor_appeal.ts',
    from: 'await execute(tx.db, sql, [claim_id, note]);',
    to: 'void [execute, sql, note];',
    tests: evidence,
    grep: 'the known answer',
  },
  {
    name: 'appeal_forgets_the_rejection',
    file: 'migrations/functions/labor/records_labor_appeal.sql',
    from: 'values (new.id, old.judged_by, old.reason)',
    to: 'values (new.id, old.judged_by, null)',
    tests: evidence,
    grep: 'the known answer',
  },
  {
    name: 'dead_process_is_shown_as_running',
    file: `${OPERATORS}/machine/processes.ts`,
    from: "seen_at < now() - interval '${SILENT_SECONDS} seconds' as silent",
    to: "seen_at < now() - interval '1 day' as silent",
    tests: machine,
    grep: 'names a process while it runs',
  },
  {
    name: 'process_that_died_long_ago_is_shown',
    file: `${OPERATORS}/machine/processes.ts`,
    from: "where seen_at > now() - interval '1 hour'",
    to: "where seen_at > now() - interval '1 day'",
    tests: machine,
    grep: 'names a process while it runs',
  },
  {
    name: 'process_that_ended_stays',
    file: 'shared/composition/machine/heartbeat.ts',
    from: 'withTimeout(endProcess(reserved, self.id), REDIS_MS_MAX)',
    to: 'withTimeout(Promise.resolve(endProcess), REDIS_MS_MAX)',
    tests: machine,
    grep: 'names a process while it runs',
  },
  {
    name: 'queues_are_counted_by_dead_processes',
    file: `${OPERATORS}/operator_machine.ts`,
    from: '.filter(({ silent }) => !silent)',
    to: '',
    tests: machine,
    grep: 'names a process while it runs',
  },
];
