import type { Mutation } from '../mutation.ts';

const ESCROWS = 'shared/domains/labor/escrows.ts';
const JUDGING = 'shared/domains/labor/judging.ts';
const TAKE = 'shared/domains/labor/take_labor_task.ts';
const DRAWS = 'shared/domains/labor/draws.ts';
const DELIVER = 'shared/domains/labor/deliver_labor_task.ts';
const VERIFY = 'shared/domains/labor/verification/verify.ts';
const MONEY = 'test/labor/labor_money.test.ts';
const LEASES = 'test/labor/labor_leases.test.ts';
const VERIFICATION = 'test/labor/labor_verification.test.ts';
const RESULTS = 'test/labor/labor_results.test.ts';

export const LABOR: readonly Mutation[] = [
  {
    name: 'labor_pays_cash_first',
    file: ESCROWS,
    from: 'const funds = creditFirst(task.reward, leftIn(from));',
    to: `const all = leftIn(from);
    const swapped = creditFirst(task.reward, { credit: all.cash, cash: all.credit });
    const funds = { credit: swapped.cash, cash: swapped.credit };`,
    tests: [MONEY],
  },
  {
    name: 'rest_of_labor_counts_as_spent',
    file: JUDGING,
    from: 'if (amount > 0n) await refundSpend',
    to: 'if (amount < 0n) await refundSpend',
    tests: [MONEY],
  },
  {
    name: 'stopped_labor_is_closed_with_claims',
    file: JUDGING,
    from: 'c.task_id = t.id and c.closed_at is null)',
    to: 'c.task_id = t.id and c.closed_at is null and false)',
    tests: [MONEY, LEASES],
  },
  {
    name: 'labor_is_completed_with_units_left',
    file: JUDGING,
    from: `where u.task_id = t.id and u.free > 0
                 and (u.expected`,
    to: `where u.task_id = t.id and u.free > 9
                 and (u.expected`,
    tests: [MONEY],
  },
  {
    name: 'rejected_unit_is_not_offered_again',
    file: JUDGING,
    from: 'const again = claims.filter((claim) => isOfferedAgain(claim, task));',
    to: 'const again = claims.filter((claim) => isOfferedAgain(claim, task) && claim.id < 0);',
    tests: [MONEY],
  },
  {
    name: 'second_rejection_is_not_final',
    file: JUDGING,
    from: 'claims.filter(({ appeal }) => appeal !== null),',
    to: 'claims.filter(({ appeal }) => appeal === undefined),',
    tests: [VERIFICATION, MONEY],
  },
  {
    name: 'own_tree_takes_its_labor',
    file: TAKE,
    from: 'if (task.poster_root === tx.caller.rootId)',
    to: 'if (task.poster_root === -tx.caller.rootId)',
    tests: [MONEY],
  },
  {
    name: 'units_of_stopped_labor_are_given_out',
    file: DRAWS,
    from: "and t.status = 'open' and t.due_at > now()),",
    to: '),',
    tests: [MONEY],
  },
  {
    name: 'worker_gets_a_unit_twice',
    file: DRAWS,
    from: "and c.status not in ('released', 'expired') offset 0)`;",
    to: "and c.status not in ('released', 'expired') and false offset 0)`;",
    tests: [VERIFICATION, LEASES],
  },
  {
    name: 'unit_is_given_out_beyond_its_overlap',
    file: DRAWS,
    from: `free = u.free - 1 from found where u.id = found.id),
     moved`,
    to: `free = u.free from found where u.id = found.id),
     moved`,
    tests: [LEASES],
  },
  {
    name: 'leases_do_not_end_when_a_unit_is_taken',
    file: TAKE,
    from: 'await endLeases(tx.db, { taskId: task_id, limit: LEASES_MAX });',
    to: '',
    tests: [LEASES],
  },
  {
    name: 'given_up_units_are_not_offered',
    file: DRAWS,
    from: 'union all select * from again) found',
    to: 'union all select * from again where false) found',
    tests: [LEASES],
  },
  {
    name: 'delivery_after_its_lease',
    file: DELIVER,
    from: `where id = $1 and status = 'claimed' and due_at > now()
        returning`,
    to: `where id = $1 and status = 'claimed'
        returning`,
    tests: [LEASES],
  },
  {
    name: 'delivery_of_an_ended_claim',
    file: DELIVER,
    from: `where id = $1 and status = 'claimed' and due_at > now()
        returning`,
    to: `where id = $1 and status in ('claimed', 'verifying') and due_at > now()
        returning`,
    tests: [LEASES],
  },
  {
    name: 'poster_decides_an_appeal',
    file: 'shared/domains/labor/judge_labor_claim.ts',
    from: "(claim.status === 'appealed' && verdict === 'accept')",
    to: "claim.status === 'appealed'",
    tests: [MONEY],
  },
  {
    name: 'appeal_after_its_time',
    file: 'shared/domains/labor/labor_appeal.ts',
    from: "and status = 'rejected' and closed_at is null and due_at > now()`",
    to: "and status = 'rejected'`",
    tests: [MONEY],
  },
  {
    name: 'unjudged_delivery_is_not_paid',
    file: 'shared/domains/labor/settle_due_labor.ts',
    from: "await accept(tx, task, claims.filter(isUnanswered), 'timeout');",
    to: '',
    tests: [MONEY],
  },
  {
    name: 'minority_is_paid_by_a_consensus',
    file: VERIFY,
    from: 'waiting.filter(isRight)',
    to: 'waiting',
    tests: [VERIFICATION],
  },
  {
    name: 'consensus_before_all_have_answered',
    file: VERIFY,
    from: 'if (delivered.length < wanted) return;',
    to: '',
    tests: [VERIFICATION],
  },
  {
    name: 'draw_asks_nobody_more',
    file: VERIFY,
    from: 'wanted < task.max_overlap',
    to: 'wanted < task.overlap',
    tests: [VERIFICATION],
  },
  {
    name: 'other_work_is_judged_before_gold',
    file: VERIFY,
    from: 'if (seen === 0 || seen < min) return keepWaiting',
    to: 'if (seen < 0) return keepWaiting',
    tests: ['test/labor/known_answers.test.ts'],
  },
  {
    name: 'accuracy_of_a_worker_does_not_matter',
    file: 'shared/domains/labor/verification/records.ts',
    from: 'right >= min_accuracy * seen) return true;',
    to: 'right >= 0) return true;',
    tests: ['test/labor/known_answers.test.ts'],
  },
  {
    name: 'draw_has_a_winner',
    file: 'shared/domains/labor/verification/answers.ts',
    from: 'if (most < 2 || best.some((n) => same[n]!.some((is, m) => is !== agree[m])))',
    to: 'if (most < 2)',
    tests: ['test/labor/answers.test.ts'],
  },
  {
    name: 'upload_adds_a_part_twice',
    file: 'shared/domains/labor/upload_labor_units.ts',
    from: 'if (parts.count !== after) throw wrongPart(parts.count);',
    to: '',
    tests: [RESULTS],
  },
  {
    name: 'labor_that_does_not_fit_is_paid',
    file: DELIVER,
    from: 'if (passes) return;',
    to: 'if (passes || failures.length > 0) return;',
    tests: [VERIFICATION],
  },
  {
    name: 'schema_of_labor_is_not_looked_at',
    file: 'shared/domains/labor/post_labor_task.ts',
    from: 'if (faults.length > 0) throw invalid(faults);',
    to: '',
    tests: [VERIFICATION],
  },
  {
    name: 'unit_that_was_passed_over_is_lost',
    file: DRAWS,
    from: 'order by u.n limit 1), found.n))',
    to: 'order by u.n limit 0), found.n))',
    tests: [LEASES],
  },
  {
    name: 'paused_labor_never_expires',
    file: 'shared/domains/labor/expire_labor_tasks.ts',
    from: "status in ('open', 'paused')",
    to: "status = 'open'",
    tests: [MONEY],
  },
  {
    name: 'paused_labor_is_completed_with_units_left',
    file: JUDGING,
    from: "t.status not in ('open', 'paused') or not exists",
    to: "t.status <> 'open' or not exists",
    tests: [LEASES],
  },
  {
    name: 'half_of_the_gold_units_is_enough',
    file: 'shared/domains/labor/verification/verify.ts',
    from: 'const GOLD_RIGHT_MIN = 0.7;',
    to: 'const GOLD_RIGHT_MIN = 0.5;',
    tests: ['test/labor/known_answers.test.ts'],
    grep: 'seven of ten',
  },
  {
    name: 'tree_holds_any_number_of_units',
    file: 'shared/domains/labor/take_labor_task.ts',
    from: 'if (held >= HELD_MAX) throw',
    to: 'if (held >= 10 * HELD_MAX) throw',
    tests: ['test/labor/labor_money.test.ts'],
    grep: 'fifty units',
  },
];
