import type { Mutation } from '../mutation.ts';

const LABOR = 'shared/domains/labor';
const VERIFY = `${LABOR}/verification/verify.ts`;
const KNOWN_ANSWERS = ['test/labor/known_answers.test.ts'];

/** Secrets of units with known answers, which workers cannot tell. */
export const LABOR_HIDDEN: readonly Mutation[] = [
  {
    name: 'known_answers_are_told_before_others',
    file: VERIFY,
    from: "if (task.verification === 'gold') return judgeByGold(tx, task, claims);",
    to: `for (const one of claims) {
    if (one.expected !== null && task.verification === 'gold') {
      await judgeByAnswer(tx, task, one, one.expected);
    }
  }
  if (task.verification === 'gold') return judgeByGold(tx, task, claims);`,
    tests: KNOWN_ANSWERS,
  },
  {
    name: 'verdict_before_its_time_shows_what_is_not_known',
    file: VERIFY,
    from: "(c.status = 'verifying' and (c.due_at <= now() or ${HAS_WAITED})",
    to: "(c.status = 'verifying'",
    tests: KNOWN_ANSWERS,
  },
  {
    name: 'units_that_are_open_show_what_is_known',
    file: `${LABOR}/labor_view.ts`,
    from: 'u.task_id = t.id and u.free > 0',
    to: 'u.task_id = t.id and u.free > 0 and u.expected is null',
    tests: KNOWN_ANSWERS,
  },
  {
    name: 'order_of_units_shows_what_is_known',
    file: `${LABOR}/units.ts`,
    from: "gold > 0 ? 'row_number() over (order by random()), line'",
    to: "gold > 0 ? 'row_number() over (order by line), line'",
    tests: KNOWN_ANSWERS,
  },
  {
    name: 'withdrawn_answer_is_exported',
    file: `${LABOR}/labor_results.ts`,
    from: 'case when voided_at is null then expected end as expected',
    to: 'expected',
    tests: ['test/labor/labor_appeals.test.ts'],
    grep: 'withdraw the known',
  },
  {
    name: 'same_answer_stays_rejected',
    file: `${LABOR}/judge_labor_claim.ts`,
    from: '(waitsForPoster(one, verdict) || isRejected(one)) && isSame(one),',
    to: 'waitsForPoster(one, verdict) && isSame(one) && !(isRejected(one) && false),',
    tests: ['test/labor/manual_labor.test.ts'],
  },
  {
    name: 'agreement_of_unpaid_answers_is_shown',
    file: 'shared/domains/labor/labor_results.ts',
    from: 'answers.filter(isCompared).map(',
    to: 'answers.map(',
    tests: ['test/labor/labor_results.test.ts'],
    grep: 'page after page',
  },
  {
    name: 'alpha_is_of_unpaid_answers_too',
    file: 'shared/domains/labor/results/task_alpha.ts',
    from: "and (c.for_poster or c.status <> 'verifying')",
    to: '',
    tests: ['test/labor/labor_results.test.ts'],
    grep: 'page after page',
  },
];
