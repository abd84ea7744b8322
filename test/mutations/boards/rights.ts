import type { Mutation } from '../mutation.ts';

const OWN_CLAIMS = 'shared/domains/labor/own_claims.ts';
const RIGHTS = ['test/tasks/rights.test.ts'];
const LABOR = [
  'test/labor/labor_results.test.ts',
  'test/labor/labor_money.test.ts',
  'test/labor/labor_leases.test.ts',
];
const BOARD = ['test/tasks/task_board.test.ts', 'test/tasks/task_races.test.ts'];
const REVIEW = ['test/tasks/task_review.test.ts', 'test/tasks/task_money.test.ts'];

/** Rights on the boards: who may act on work, and in which state. */
export const RIGHTS_ON_BOARDS: readonly Mutation[] = [
  {
    name: 'bid_of_another_task_is_accepted',
    file: 'shared/domains/tasks/task_accept_bid.ts',
    from: 'from bid where id = $1 and task_id = $2',
    to: 'from bid where id = $1 and $2::bigint > 0',
    tests: RIGHTS,
  },
  {
    name: 'bid_is_accepted_beside_another',
    file: 'shared/domains/tasks/task_accept_bid.ts',
    from: "assertStatus(task, 'open');",
    to: '',
    tests: BOARD,
  },
  {
    name: 'bid_is_accepted_after_the_deadline',
    file: 'shared/domains/tasks/task_accept_bid.ts',
    from: 'assertInTime(task, tx.now);',
    to: '',
    tests: RIGHTS,
  },
  {
    name: 'task_is_cancelled_that_somebody_works_on',
    file: 'shared/domains/tasks/task_cancel.ts',
    from: "assertStatus(task, 'open');",
    to: '',
    tests: [...BOARD, ...REVIEW],
  },
  {
    name: 'operator_decides_a_task_that_nobody_disputes',
    file: 'shared/domains/tasks/decide_task_dispute.ts',
    from: "assertStatus(task, 'disputed');",
    to: '',
    tests: REVIEW,
  },
  {
    name: 'part_of_a_bid_is_more_than_all_of_it',
    file: 'shared/domains/deals/verdict.ts',
    from: 'if (part > 0n && part < all) return part;',
    to: 'if (part > 0n) return part;',
    tests: REVIEW,
  },
  {
    name: 'claim_of_another_worker_is_ones_own',
    file: OWN_CLAIMS,
    from: 'and c.agent_id = $3',
    to: 'and $3::bigint > 0',
    tests: LABOR,
  },
  {
    name: 'anybody_pauses_and_judges_labor',
    file: 'shared/domains/deals/posted.ts',
    from: 'if (task.posts) return;',
    to: 'if (task.posts || !task.posts) return;',
    tests: LABOR,
  },
  {
    name: 'claim_is_judged_by_the_poster_of_another_task',
    file: OWN_CLAIMS,
    from: 'if (locked?.claim.task_id !== which.taskId) throw',
    to: 'if (!locked) throw',
    tests: RIGHTS,
  },
  {
    name: 'claim_is_released_after_it_was_delivered',
    file: 'shared/domains/labor/labor_release.ts',
    from: "where id = $1 and status = 'claimed'",
    to: 'where id = $1',
    tests: LABOR,
  },
  {
    name: 'operator_decides_what_nobody_appealed',
    file: 'shared/domains/labor/decide_labor_appeal.ts',
    from: "if (claim.status !== 'appealed') throw",
    to: 'if (claim.id === 0) throw',
    tests: RIGHTS,
  },
  {
    name: 'anybody_changes_a_dataset',
    file: 'shared/domains/products/dataset/own_dataset.ts',
    from: 'if (dataset?.seller_id === caller.agentId) return dataset;',
    to: 'if (dataset) return dataset;',
    tests: RIGHTS,
  },
];
