import type { Mutation } from '../mutation.ts';

const DELIVER = 'shared/domains/labor/deliver_labor_task.ts';
const FORM = 'shared/domains/labor/templates/answer_form.ts';
const TEMPLATES = ['test/labor/templates.test.ts'];
const PICTURES = ['test/console/pictures_of_labor.test.ts'];
const BY_HAND = ['test/console/labeling.test.ts'];

/** The forms of answers, and who may judge and look. */
export const LABOR_FORMS: readonly Mutation[] = [
  {
    name: 'answers_of_labor_have_any_form',
    file: DELIVER,
    from: 'assertHasForm(task, { payload: claim.payload, answer: submission });',
    to: '',
    tests: TEMPLATES,
  },
  {
    name: 'spans_of_labor_end_after_the_text',
    file: FORM,
    from: 'Number(part.end) <= length',
    to: 'true',
    tests: TEMPLATES,
  },
  {
    name: 'spans_of_labor_have_any_order',
    file: FORM,
    from: 'spans.length === value.length && isSorted && ',
    to: 'spans.length === value.length && ',
    tests: TEMPLATES,
  },
  {
    name: 'boxes_of_labor_leave_the_picture',
    file: FORM,
    from: 'x + width <= WHOLE && ',
    to: '',
    tests: TEMPLATES,
  },
  {
    name: 'one_label_of_labor_may_be_several',
    file: FORM,
    from: 'template.several || labels.length === 1 ? { labels }',
    to: 'template.several || labels.length > 0 ? { labels }',
    tests: TEMPLATES,
  },
  {
    name: 'known_answers_of_labor_have_any_form',
    file: 'shared/domains/labor/templates/unit_check.ts',
    from: 'if (expected === undefined) return [];',
    to: 'return [];',
    tests: TEMPLATES,
  },
  {
    name: 'boxes_of_labor_have_any_payload',
    file: 'shared/domains/labor/templates/unit_check.ts',
    from: "template.form === 'boxes' && !pictureOf(payload, true)",
    to: 'false',
    tests: TEMPLATES,
  },
  {
    name: 'labels_of_labor_hide_characters',
    file: 'shared/domains/labor/templates/template.ts',
    from: '[NOT_ONE, SPACES, HIDING]',
    to: '[NOT_ONE, SPACES]',
    tests: TEMPLATES,
  },
  {
    name: 'uploaded_answers_of_labor_have_any_form',
    file: 'shared/domains/labor/units.ts',
    from: 'if (template) await assertUploadFits(tx, uploadId, template);',
    to: '',
    tests: TEMPLATES,
  },
  {
    name: 'labor_waits_for_whoever_asks',
    file: 'shared/domains/labor/labor_claims.ts',
    from: 'await assertPosts(tx, task.id);',
    to: '',
    tests: ['test/console/judging_labor.test.ts'],
  },
  {
    name: 'labor_to_judge_is_any_delivery',
    file: 'shared/domains/labor/labor_claims.ts',
    from: 'c.closed_at is null and c.for_poster and c.status = $2',
    to: 'c.closed_at is null and c.status = $2',
    tests: ['test/console/judging_labor.test.ts'],
  },
  {
    name: 'labor_that_time_accepts_is_not_counted',
    file: 'shared/domains/labor/judging.ts',
    from: "if (by === 'timeout') await recordUnjudged(db, task, claims);",
    to: "if (by === 'timeout') void recordUnjudged;",
    tests: ['test/labor/labor_rates.test.ts'],
  },
  {
    name: 'forms_do_anything_second',
    file: 'api/console/do_route.ts',
    from: 'following && operations.get(following.name)',
    to: "following && operations.get(oneOf(given, '_then'))",
    tests: BY_HAND,
  },
  {
    name: 'forms_limit_any_agent_with_a_new_one',
    file: 'api/console/do_route.ts',
    from: "fields: ['daily_spend_limit'],",
    to: "fields: ['daily_spend_limit', 'max_spend_per_tx'],",
    tests: ['test/console/new_agent.test.ts'],
  },
  {
    name: 'new_agent_is_made_without_its_limit',
    file: 'api/console/do_route.ts',
    from: 'if (next) assertReadable(next);',
    to: '',
    tests: ['test/console/new_agent.test.ts'],
  },
  {
    name: 'labor_by_hand_is_empty_unasked',
    file: 'api/console/owner/labor/sent_answer.ts',
    from: 'if (parts.length === 0 && !isNone) throw',
    to: 'if (parts.length < 0 && !isNone) throw',
    tests: ['test/console/answers_by_hand.test.ts'],
  },
  {
    name: 'places_of_words_leave_line_breaks_out',
    file: 'api/console/owner/labor/words_in_text.ts',
    from: 'this.#characters = Array.from(text);',
    to: "this.#characters = Array.from(text.replaceAll('\\r\\n', '\\n'));",
    tests: ['test/console/answers_by_hand.test.ts'],
  },
  {
    name: 'pages_load_pictures_unasked',
    file: 'api/console/session/guard.ts',
    from: "pictures === undefined ? '' : ` https://${pictures}`",
    to: "pictures === undefined ? '' : ' https:'",
    tests: PICTURES,
  },
  {
    name: 'pictures_of_labor_have_any_host',
    file: 'api/console/owner/labor/payload.tsx',
    from: 'url && url.host === host && isPublicHost(url)',
    to: 'url && url.host === host',
    tests: PICTURES,
  },
];
