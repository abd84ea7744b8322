import type { Mutation } from '../mutation.ts';

const LABOR = 'shared/domains/labor';
const CLAIMS = `${LABOR}/claims.ts`;
const TAKE = `${LABOR}/take_labor_task.ts`;
const DRAWS = `${LABOR}/draws.ts`;
const VERIFY = `${LABOR}/verification/verify.ts`;
const RECORDS = `${LABOR}/verification/records.ts`;
const APPEALS = `${LABOR}/verification/appeals.ts`;
const JUDGE = `${LABOR}/judge_labor_claim.ts`;
const KNOWN_ANSWERS = ['test/labor/known_answers.test.ts'];
const APPEALED = ['test/labor/labor_appeals.test.ts'];
const OF_RECORDS = ['test/labor/labor_records.test.ts'];
const OF_POSTER = ['test/labor/manual_labor.test.ts'];
const CONSENSUS = ['test/labor/labor_verification.test.ts'];

/** Verdicts: what they tell, whom a record helps, and who may be asked. */
export const LABOR_VERDICTS: readonly Mutation[] = [
  {
    name: 'verdicts_come_at_once',
    file: VERIFY,
    from: 'if (waitsForRule(claim!, task)) return; // judgeDue',
    to: 'if (waitsForRule(claim!, task)) return judgeDue(tx, task, [claim!]);',
    tests: ['test/labor/manual_labor.test.ts'],
    grep: 'leaves gold units',
  },
  {
    name: 'reason_tells_a_known_answer',
    file: VERIFY,
    from: "else await reject(tx.db, task, [claim], { by: 'gold', reason: NOT_RIGHT });",
    to: "else await reject(tx.db, task, [claim], { by: 'gold', reason: 'The answer is known.' });",
    tests: ['test/labor/manual_labor.test.ts'],
    grep: 'leaves gold units',
  },
  {
    name: 'judge_tells_a_known_answer',
    file: CLAIMS,
    from: "if (by !== 'gold') return by;",
    to: 'if (by !== null) return by;',
    tests: OF_POSTER,
  },
  {
    name: 'numbers_of_units_are_the_same_for_all',
    file: CLAIMS,
    from: 'unit_id: isWorker ? claim.id : claim.unit_id,',
    to: 'unit_id: claim.unit_id,',
    tests: KNOWN_ANSWERS,
    grep: 'verdicts on all',
  },
  {
    name: 'delivery_is_accepted_before_its_poster_was_asked',
    file: `${LABOR}/settle_due_labor.ts`,
    from: "(status === 'verifying' && for_poster)",
    to: "status === 'verifying'",
    tests: KNOWN_ANSWERS,
  },
  {
    name: 'poster_is_never_asked_about_what_no_rule_judges',
    file: VERIFY,
    from: 'where c.id = any ($1) and c.due_at <= now() order by c.id',
    to: 'where c.id = any ($1) and false order by c.id',
    tests: KNOWN_ANSWERS,
    grep: 'of another task',
  },
  {
    name: 'task_waits_for_known_answers',
    file: `${LABOR}/judging.ts`,
    from: 'and (u.expected is null or t.gold = t.units))) as done',
    to: ')) as done',
    tests: KNOWN_ANSWERS,
    grep: 'not finished by wrong',
  },
  {
    name: 'who_is_new_gets_any_unit',
    file: DRAWS,
    from: 'if (!worker.mayTakeAny) throw unqualified(task.min_accuracy!);',
    to: '',
    tests: KNOWN_ANSWERS,
    grep: 'asks for accuracy',
  },
  {
    name: 'poster_reads_what_it_does_not_pay_for',
    file: CLAIMS,
    from: "status === 'accepted' || status === 'appealed' || for_poster;",
    to: "status !== 'claimed' || for_poster;",
    tests: ['test/labor/labor_results.test.ts'],
    grep: 'come as JSONL',
  },
  {
    name: 'majority_of_unknown_trees_is_paid',
    file: VERIFY,
    from: 'if (known.size === 0) return refer(db, task, waiting);',
    to: '',
    tests: CONSENSUS,
    grep: 'has no record',
  },
  {
    name: 'what_another_poster_says_counts_in_full',
    file: RECORDS,
    from: 'const most = poster === posterRoot ? verdicts.seen : OTHERS_MAX;',
    to: 'const most = poster < 0 ? OTHERS_MAX : verdicts.seen;',
    tests: CONSENSUS,
    grep: 'has no record',
  },
  {
    name: 'what_friends_say_counts',
    file: RECORDS,
    from: 'if (poster !== posterRoot && !paying.has(poster)) continue;',
    to: 'void paying;',
    tests: OF_RECORDS,
    grep: 'twenty units',
  },
  {
    name: 'verdict_that_is_changed_counts_twice',
    file: RECORDS,
    from: 'told.map(({ judged_by: before }) => (before === null ? 1 : 0)),',
    to: 'told.map(() => 1),',
    tests: APPEALED,
    grep: 'five at a time',
  },
  {
    name: 'new_tree_takes_any_number_of_units',
    file: TAKE,
    from: 'if (open >= UNKNOWN_HELD_MAX) {',
    to: 'if (open >= 10 * UNKNOWN_HELD_MAX) {',
    tests: OF_RECORDS,
    grep: 'twenty units',
  },
  {
    name: 'units_that_wait_for_a_verdict_are_not_counted',
    file: TAKE,
    from: 'const open = held + waiting;',
    to: 'const open = waiting < 0 ? 0 : held;',
    tests: OF_RECORDS,
    grep: 'twenty units',
  },
  {
    name: 'units_held_do_not_count_for_the_most_of_a_worker',
    file: TAKE,
    from: 'if (max !== null && worker.delivered + held >= max) {',
    to: 'if (max !== null && worker.delivered >= max) {',
    tests: OF_RECORDS,
    grep: 'wants of one',
  },
  {
    name: 'blocked_tree_takes_units',
    file: TAKE,
    from: 'if (blocked.length === 0) return;',
    to: 'if (blocked.length >= 0) return;',
    tests: OF_RECORDS,
    grep: 'no more of a tree',
  },
  {
    name: 'agent_that_never_worked_is_blocked',
    file: `${LABOR}/block_labor_worker.ts`,
    from: 'where c.agent_id = $1 and t.poster_root = $2 limit 1`',
    to: 'where c.agent_id = $1 and $2::bigint > 0 limit 1`',
    tests: OF_RECORDS,
    grep: 'no more of a tree',
  },
  {
    name: 'poster_rejects_what_it_has_paid_for',
    file: JUDGE,
    from: 'if (paid) throw sameAsPaid(claim, paid);',
    to: 'void paid;',
    tests: OF_POSTER,
    grep: 'paid another',
  },
  {
    name: 'same_answers_are_asked_about_each',
    file: JUDGE,
    from: "await accept(tx, task, [claim, ...same], 'poster');",
    to: "await accept(tx, task, same.length < 0 ? same : [claim], 'poster');",
    tests: CONSENSUS,
    grep: 'has no record',
  },
  {
    name: 'rejections_end_while_operators_look',
    file: `${LABOR}/verification/doubts.ts`,
    from: 'if (!isDoubted) return rejected;',
    to: 'if (rejected.length > 0) return rejected;',
    tests: APPEALED,
    grep: 'withdraw the known',
  },
  {
    name: 'withdrawn_answer_pays_who_appealed_alone',
    file: `${LABOR}/verification/doubts.ts`,
    from: "await accept(tx, task, misjudged, 'operator');",
    to: 'void accept;',
    tests: APPEALED,
    grep: 'withdraw the known',
  },
  {
    name: 'withdrawn_answer_judges',
    file: CLAIMS,
    from: 'case when u.voided_at is null then u.expected end as expected',
    to: 'u.expected',
    tests: APPEALED,
    grep: 'withdraw the known',
  },
  {
    name: 'tree_has_any_number_of_appeals',
    file: APPEALS,
    from: 'if (open < OPEN_MAX) return;',
    to: 'if (open < 10 * OPEN_MAX) return;',
    tests: APPEALED,
    grep: 'five at a time',
  },
  {
    name: 'tree_that_loses_its_appeals_goes_on',
    file: APPEALS,
    from: 'if (lost >= LOST_MAX && lost > 2 * won) {',
    to: 'if (lost >= LOST_MAX && lost > 20 * won) {',
    tests: APPEALED,
    grep: 'five at a time',
  },
];
