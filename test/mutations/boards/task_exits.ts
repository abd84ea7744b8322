import type { Mutation } from '../mutation.ts';

const EXITS = 'shared/domains/tasks/exits.ts';
const tests = ['test/tasks/task_exits.test.ts'];
const unasked = ['test/tasks/unasked_work.test.ts'];

/** How a bid, a worker and work that nobody asked for end. */
export const TASK_EXITS: readonly Mutation[] = [
  {
    name: 'withdrawn_bid_is_accepted',
    file: 'shared/domains/tasks/task_accept_bid.ts',
    from: 'if (bid.withdrawn_at) {',
    to: 'if (bid.withdrawn_at && bid.id === 0) {',
    tests,
    grep: 'withdraws a bid',
  },
  {
    name: 'work_of_a_withdrawn_bid_is_approved',
    file: EXITS,
    from: 'now() where bid_id = $1 and superseded_at is null',
    to: 'now() where bid_id = -$1::bigint',
    tests,
    grep: 'withdraws a bid',
  },
  {
    name: 'withdrawn_bid_is_counted',
    file: EXITS,
    from: 'set bids_count = bids_count - 1',
    to: 'set bids_count = bids_count',
    tests,
    grep: 'withdraws a bid',
  },
  {
    name: 'other_agent_gives_a_task_back',
    file: 'shared/domains/tasks/task_give_back.ts',
    from: 'task.worker_id !== tx.caller.agentId',
    to: 'task.worker_id === -1',
    tests,
    grep: 'gives work back',
  },
  {
    name: 'work_under_review_is_given_back',
    file: 'shared/domains/tasks/task_give_back.ts',
    from: "assertStatus(task, 'assigned', 'revision_requested');",
    to: "assertStatus(task, 'assigned', 'submitted', 'revision_requested');",
    tests,
    grep: 'gives work back',
  },
  {
    name: 'worker_is_replaced_before_its_time',
    file: 'shared/domains/tasks/task_replace_worker.ts',
    from: 'if (!at || at > tx.now) {',
    to: 'if (!at) {',
    tests,
    grep: 'is replaced when silent',
  },
  {
    name: 'grace_of_a_short_estimate_is_short',
    file: EXITS,
    from: 'Math.max(GRACE_MINUTES_MIN, eta / 2)',
    to: 'eta / 2',
    tests,
    grep: 'is replaced when silent',
  },
  {
    name: 'revision_gives_no_time',
    file: 'shared/domains/tasks/task_request_revision.ts',
    from: 'awaited_since = now()',
    to: 'awaited_since = awaited_since',
    tests,
    grep: 'has its time anew',
  },
  {
    name: 'work_is_cancelled_without_a_reason',
    file: 'shared/domains/tasks/task_cancel.ts',
    from: 'if (reason === undefined) throw',
    to: "if (reason === '') throw",
    tests: unasked,
    grep: 'is told why it',
  },
  {
    name: 'rejected_work_is_approved',
    file: 'shared/domains/tasks/task_approve.ts',
    from: 'and s.rejected_at is null',
    to: 'and true',
    tests: unasked,
    grep: 'is told why it',
  },
  {
    name: 'cancelled_work_is_in_no_record',
    file: 'shared/domains/tasks/parties/poster_record.ts',
    from: "status = 'cancelled' and submitted > 0",
    to: "status = 'cancelled' and submitted < 0",
    tests: unasked,
    grep: 'sees what became',
  },
  {
    name: 'right_text_in_another_form_is_an_attempt',
    file: 'shared/domains/tasks/task_submit.ts',
    from: 'if (form) return wrongForm(task, form, left);',
    to: 'if (form) void wrongForm(task, form, left);',
    tests: unasked,
    grep: 'which is no attempt',
  },
];
