import type { Mutation } from '../mutation.ts';

const UNITS = 'shared/domains/labor/units.ts';
const CLAIMS = 'shared/domains/labor/locked_claims.ts';
const LEASE = 'shared/domains/labor/leases.ts';
const BEAT = 'shared/domains/labor/labor_heartbeat.ts';
const TASKS = 'shared/domains/tasks/locked_tasks.ts';
const MONEY = 'test/labor/labor_money.test.ts';
const LEASES = 'test/labor/labor_leases.test.ts';
const LABOR_RACES = 'test/labor/labor_races.test.ts';
const RESULTS = 'test/labor/labor_results.test.ts';
const RACES = 'test/tasks/task_races.test.ts';
const REVIEW = 'test/tasks/task_review.test.ts';
const RIGHTS = 'test/access/foreign_objects.test.ts';

/** Locks before money of tasks and labor moves, and what ends by time. */
export const LOCKS_ON_BOARDS: readonly Mutation[] = [
  {
    name: 'units_are_counted_before_they_are_locked',
    file: UNITS,
    from: `  await execute(
    tx.db,
    'select from labor_upload where upload_id = $1 and agent_id = $2 order by after for update',
    [uploadId, tx.caller.agentId],
  );
  return partsOf(tx, uploadId);`,
    to: `  const counted = await partsOf(tx, uploadId);
  await execute(
    tx.db,
    'select from labor_upload where upload_id = $1 and agent_id = $2 for update',
    [uploadId, tx.caller.agentId],
  );
  return counted;`,
    tests: [RESULTS],
    grep: 'paid for all of them',
  },
  {
    name: 'uploads_of_others_are_counted',
    file: UNITS,
    from: `       from labor_upload where upload_id = $1 and agent_id = $2\`,`,
    to: `       from labor_upload where upload_id = $1 and $2 > 0\`,`,
    tests: [RESULTS],
    grep: 'uploaded as JSONL',
  },
  {
    name: 'posted_units_stay_uploaded',
    file: UNITS,
    from: 'delete from labor_upload where upload_id = $3 and agent_id = $4 returning after, lines)',
    to: 'select after, lines from labor_upload where upload_id = $3 and agent_id = $4)',
    tests: [RESULTS],
  },
  {
    name: 'uploaded_known_answers_are_lost',
    file: UNITS,
    from: "each.unit ->> 'expected' as expected,",
    to: 'null as expected,',
    tests: [RESULTS],
    grep: 'uploaded as JSONL',
  },
  {
    name: 'claims_are_not_locked',
    file: CLAIMS,
    from: 'await execute(db, lock, [claimIds, units]);',
    to: 'void [lock, execute];',
    tests: [LABOR_RACES],
    grep: 'keeps an appeal',
  },
  {
    name: 'tree_of_a_poster_of_labor_is_not_locked',
    file: CLAIMS,
    from: '(values (t.poster_root), (c.root_id)) r (root_id)',
    to: '(values (c.root_id)) r (root_id)',
    tests: [LABOR_RACES],
    grep: 'time to appeal ends',
  },
  {
    name: 'labor_is_read_before_its_tree_is_locked',
    file: CLAIMS,
    from: '  return findLabor(db, taskIds);\n',
    to: '  return found;\n',
    tests: [LABOR_RACES],
    grep: 'opened again',
  },
  {
    name: 'leases_end_before_their_time',
    file: LEASE,
    from: 'and c.due_at <= now()',
    to: "and c.due_at <= now() + interval '1 hour'",
    tests: [LEASES],
  },
  {
    name: 'deliveries_that_wait_end_as_leases',
    file: LEASE,
    from: "and c.status = 'claimed' and c.due_at",
    to: 'and c.closed_at is null and c.due_at',
    tests: [LABOR_RACES],
    grep: 'delivered in time',
  },
  {
    name: 'unit_of_an_ended_lease_is_lost',
    file: LEASE,
    from: 'set free = u.free + lapsed.count, given_up_at',
    to: 'set given_up_at',
    tests: [LEASES],
  },
  {
    name: 'ended_lease_is_kept_on',
    file: BEAT,
    from: "and c.status = 'claimed' and c.due_at > now()",
    to: "and c.status = 'claimed'",
    tests: [LEASES],
  },
  {
    name: 'delivery_is_kept_on_as_a_lease',
    file: BEAT,
    from: "and c.status = 'claimed' and c.due_at > now()",
    to: 'and c.due_at > now()',
    tests: [LEASES],
    grep: 'heartbeat',
  },
  {
    name: 'lease_of_another_is_kept_on',
    file: 'shared/domains/labor/own_claims.ts',
    from: 'and c.task_id = $2 and c.agent_id = $3',
    to: 'and c.task_id = $2 and $3 > 0',
    tests: [LEASES, RIGHTS],
  },
  {
    name: 'labor_of_another_is_cancelled',
    file: 'shared/domains/labor/cancel_labor_task.ts',
    from: 'await assertPosts(tx, task_id);',
    to: 'void assertPosts;',
    tests: [LEASES],
    grep: 'of a stopped task',
  },
  {
    name: 'ended_labor_is_cancelled',
    file: 'shared/domains/labor/cancel_labor_task.ts',
    from: 'assertGoesOn(task!);',
    to: 'void [assertGoesOn, task];',
    tests: [LEASES],
    grep: 'of a stopped task',
  },
  {
    name: 'labor_of_another_is_paused',
    file: 'shared/domains/labor/pause_labor_task.ts',
    from: 'await assertPosts(tx, task_id);',
    to: 'void assertPosts;',
    tests: [LEASES],
    grep: 'paused',
  },
  {
    name: 'ended_labor_is_opened_again',
    file: 'shared/domains/labor/pause_labor_task.ts',
    from: 'assertGoesOn(task!);',
    to: 'void assertGoesOn;',
    tests: [LEASES],
    grep: 'paused',
  },
  {
    name: 'units_are_taken_while_labor_is_stopped',
    file: 'shared/domains/labor/task_end.ts',
    from: "await lockTaking(tx.db, taskId, 'alone');",
    to: 'void lockTaking;',
    tests: [LABOR_RACES],
    grep: 'taking a unit',
  },
  {
    name: 'stopped_labor_keeps_its_money',
    file: 'shared/domains/labor/task_end.ts',
    from: 'await closeIfDone(tx, taskId);',
    to: 'void closeIfDone;',
    tests: [MONEY],
  },
  {
    name: 'results_of_labor_are_for_everybody',
    file: 'shared/domains/labor/labor_results.ts',
    from: 'await assertPosts(tx, task_id);',
    to: 'void assertPosts;',
    tests: [RESULTS],
  },
  {
    name: 'claims_of_labor_are_for_everybody',
    file: 'shared/domains/labor/labor_claims.ts',
    from: 'const seesAll = task.poster_lineage.includes(tx.caller.agentId);',
    to: 'const seesAll = task.poster_lineage.length > 0;',
    tests: [MONEY, LEASES, 'test/labor/labor_verification.test.ts', RIGHTS],
  },
  {
    name: 'claims_of_other_trees_are_read',
    file: 'shared/domains/labor/labor_claims.ts',
    from: 'or c.agent_id = any ($4::bigint[]))',
    to: 'or c.agent_id <> all ($4::bigint[]) or c.agent_id > 0)',
    tests: ['test/labor/labor_taken.test.ts'],
    grep: 'is listed by labor task',
  },
  {
    name: 'tasks_are_not_locked',
    file: TASKS,
    from: `await execute(db, 'select from task where id = any ($1) order by id for no key update', [
    taskIds,
  ]);`,
    to: 'void execute;',
    tests: [RACES],
  },
  {
    name: 'rejected_work_is_disputed_for_one_hour',
    file: 'shared/domains/tasks/task_reject.ts',
    from: 'now() + make_interval(hours => $2)',
    to: "now() + interval '1 hour' + $2 * interval '0 s'",
    tests: [REVIEW],
  },
  {
    name: 'work_is_rejected_twice',
    file: 'shared/domains/tasks/task_reject.ts',
    from: 'assertReviewable(task, tx.now);',
    to: 'void assertReviewable;',
    tests: [REVIEW],
  },
  {
    name: 'submissions_have_no_end',
    file: 'shared/domains/tasks/submissions.ts',
    from: 'if (made >= SUBMISSIONS_MAX)',
    to: 'if (made < 0)',
    tests: ['test/tasks/task_board.test.ts'],
    grep: 'own tasks',
  },
  {
    name: 'earlier_result_of_a_bidder_counts_too',
    file: 'shared/domains/tasks/submissions.ts',
    from: 'set superseded_at = now() where bid_id = $1 and superseded_at is null',
    to: 'set superseded_at = null where bid_id = $1 and superseded_at is null',
    tests: [REVIEW],
  },
];
