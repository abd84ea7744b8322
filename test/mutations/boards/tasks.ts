import type { Mutation } from '../mutation.ts';

const SETTLE = 'shared/domains/tasks/settle.ts';
const SUBMIT = 'shared/domains/tasks/task_submit.ts';
const OWN = 'shared/domains/tasks/own_tasks.ts';
const BID = 'shared/domains/tasks/task_bid.ts';
const MONEY = 'test/tasks/task_money.test.ts';
const BOARD = 'test/tasks/task_board.test.ts';
const REVIEW = 'test/tasks/task_review.test.ts';
const HASH = 'test/tasks/task_hash.test.ts';
const CHECKS = 'test/tasks/task_checks.test.ts';
const TASK_CHECK = 'shared/domains/tasks/checks/task_check.ts';

export const TASKS: readonly Mutation[] = [
  {
    name: 'worker_of_a_task_gets_cash_first',
    file: SETTLE,
    from: 'creditFirst(paid, task)',
    to: '(({ credit, cash }) => ({ credit: cash, cash: credit }))(creditFirst(paid, task))',
    tests: [MONEY],
  },
  {
    name: 'rest_of_a_budget_counts_as_spent',
    file: SETTLE,
    from: 'refunds.filter(({ amount }) => amount > 0n)',
    to: 'refunds.filter(({ amount }) => amount < 0n)',
    tests: [MONEY],
  },
  {
    name: 'worker_gets_the_whole_budget',
    file: SETTLE,
    from: 'paid: task.bid_amount!,',
    to: 'paid: task.budget,',
    tests: [MONEY],
  },
  {
    name: 'unjudged_work_is_not_paid',
    file: 'shared/domains/tasks/settle_due_tasks.ts',
    from: "if (task.status === 'submitted') return approval(task);",
    to: "if (task.status === ('none' as string)) return approval(task);",
    tests: [MONEY],
  },
  {
    name: 'own_tree_works_on_its_task',
    file: 'shared/domains/tasks/bidding.ts',
    from: 'if (poster_root !== caller.rootId) return;',
    to: 'if (poster_root !== caller.agentId) return;',
    tests: [MONEY],
  },
  {
    name: 'anybody_acts_as_the_poster_of_a_task',
    file: 'shared/domains/deals/posted.ts',
    from: 'if (task.posts) return;',
    to: 'if (task.posts !== null) return;',
    tests: [MONEY],
  },
  {
    name: 'bid_may_be_raised',
    file: BID,
    from: "assertAtMost(amount, before.amount, 'your earlier bid');",
    to: '',
    tests: [BOARD],
  },
  {
    name: 'bid_may_exceed_the_budget',
    file: BID,
    from: "assertAtMost(amount, task.budget, 'the budget');",
    to: '',
    tests: [BOARD],
  },
  {
    name: 'work_comes_after_it_was_due',
    file: OWN,
    from: 'if (due_at > now) return;',
    to: 'if (due_at >= new Date(0)) return;',
    tests: [MONEY],
  },
  {
    name: 'work_is_rejected_after_its_review',
    file: OWN,
    from: 'if (task.review_deadline! > now) return;',
    to: 'return;',
    tests: [REVIEW],
  },
  {
    name: 'rejection_is_disputed_too_late',
    file: 'shared/domains/tasks/task_dispute.ts',
    from: 'if (task.dispute_by! <= tx.now) {',
    to: 'if (task.dispute_by! <= new Date(0)) {',
    tests: [REVIEW],
  },
  {
    name: 'revisions_have_no_end',
    file: 'shared/domains/tasks/task_request_revision.ts',
    from: 'if (task.revisions >= REVISIONS_MAX) {',
    to: 'if (task.revisions >= REVISIONS_MAX + 1) {',
    tests: [REVIEW],
  },
  {
    name: 'another_submits_for_the_worker',
    file: SUBMIT,
    from: 'if (own?.id === task.bid_id) return own!;',
    to: 'if (own) return own;',
    tests: [BOARD],
  },
  {
    name: 'attempts_at_a_hash_are_not_counted',
    file: 'shared/performing/perform.ts',
    from: 'if (!around.refuse) throw output;',
    to: 'throw output;',
    tests: [HASH],
  },
  {
    name: 'attempts_at_a_hash_have_no_end',
    file: SUBMIT,
    from: 'if (left <= 0) {',
    to: 'if (left <= -100) {',
    tests: [HASH],
  },
  {
    name: 'salt_is_not_hashed',
    file: 'shared/domains/tasks/checks/hash_check.ts',
    from: ".update(salt, 'utf8')",
    to: '',
    tests: [HASH],
  },
  {
    name: 'bidders_read_all_bids',
    file: 'shared/domains/tasks/task_bids.ts',
    from: "roleOf(task, tx.caller) === 'poster'",
    to: "roleOf(task, tx.caller) !== 'kin'",
    tests: [BOARD],
  },
  {
    name: 'bidders_read_all_results',
    file: 'shared/domains/tasks/task_submissions.ts',
    from: "roleOf(task, tx.caller) === 'poster'",
    to: "roleOf(task, tx.caller) !== 'kin'",
    tests: [MONEY],
  },
  {
    name: 'bids_of_other_trees_are_read',
    file: 'shared/domains/tasks/task_bids.ts',
    from: 'or bidder_id = any ($4::bigint[]))',
    to: 'or bidder_id <> all ($4::bigint[]) or bidder_id > 0)',
    tests: ['test/labor/labor_taken.test.ts'],
    grep: 'by no others',
  },
  {
    name: 'results_of_other_trees_are_read',
    file: 'shared/domains/tasks/task_submissions.ts',
    from: 'or bid.bidder_id = any ($4::bigint[]))',
    to: 'or bid.bidder_id <> all ($4::bigint[]) or bid.bidder_id > 0)',
    tests: ['test/labor/labor_taken.test.ts'],
    grep: 'by no others',
  },
  {
    name: 'any_of_several_results_is_approved',
    file: 'shared/domains/tasks/task_approve.ts',
    from: 'if (others.length > 0) throw ambiguous(live);',
    to: 'if (others.length < 0) throw ambiguous(live);',
    tests: [MONEY],
  },
  {
    name: 'result_that_fails_its_schema_is_paid',
    file: SUBMIT,
    from: 'if (verdict.passes) return undefined;',
    to: 'if (verdict.passes || verdict.failures.length > 0) return undefined;',
    tests: [CHECKS],
  },
  {
    name: 'attempts_at_a_schema_are_not_counted',
    file: SUBMIT,
    from: 'set attempts = attempts + 1 where id',
    to: 'set attempts = attempts where id',
    tests: [CHECKS],
  },
  {
    name: 'malformed_checks_are_posted',
    file: 'shared/domains/tasks/task_post.ts',
    from: 'if (faults.length > 0) throw invalid(faults);',
    to: '',
    tests: [CHECKS],
  },
  {
    name: 'checks_that_contradict_are_posted',
    file: TASK_CHECK,
    from: 'if ((type === name) === (input[name] !== undefined)) continue;',
    to: 'if (type === name || input[name] === undefined) continue;',
    tests: [CHECKS],
  },
  {
    name: 'words_of_a_check_are_not_marked',
    file: TASK_CHECK,
    from: 'untrusted(JSON.stringify(check.json_schema))',
    to: '{ untrusted: true as const, content: String(check.json_schema) }',
    tests: [CHECKS],
  },
  {
    name: 'tasks_are_no_type_that_policies_name',
    file: 'shared/domains/policies/policy.ts',
    from: "'task', 'labor', 'withdrawal', 'token'] as const",
    to: "'labor', 'withdrawal', 'token'] as const",
    tests: [MONEY],
  },
  {
    name: 'each_bidder_of_a_tree_has_its_own_attempts',
    file: 'shared/domains/tasks/task_submit.ts',
    from: 'bidder_root = $2`,\n    [id, caller.rootId],',
    to: 'bidder_id = $2`,\n    [id, caller.agentId],',
    tests: ['test/tasks/task_hash.test.ts'],
    grep: 'of one tree',
  },
];
