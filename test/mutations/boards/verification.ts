import type { Mutation } from '../mutation.ts';

const GATEWAY = 'workers/gateways/verification/verification.ts';
const LIMITS = 'workers/gateways/verification/schema_limits.ts';
const JUDGE = 'workers/gateways/verification/judge.mjs';
const PROCESS = 'workers/gateways/verification/judge_process.ts';
const ASSERTIONS = 'workers/gateways/verification/assertions.mjs';
const TESTS = ['test/verification/verification.test.ts'];
const HANGING = ['test/verification/hanging_checks.test.ts'];

export const VERIFICATION: readonly Mutation[] = [
  {
    name: 'checks_take_any_time',
    file: GATEWAY,
    from: 'const CHECK_MS_MAX = 1_000;',
    to: 'const CHECK_MS_MAX = 1_000_000;',
    tests: HANGING,
  },
  {
    name: 'one_tree_takes_all_judges',
    file: GATEWAY,
    from: 'perFree: 1, ',
    to: '',
    tests: HANGING,
  },
  {
    name: 'judge_is_ended_by_the_clock',
    file: PROCESS,
    from: 'waited >= ms * WAIT_FACTOR',
    to: 'waited >= ms',
    tests: HANGING,
    grep: 'counts what a check computes',
  },
  {
    name: 'judge_that_was_ended_is_asked_again',
    file: PROCESS,
    from: '          judge = undefined;\n          child.kill',
    to: '          child.kill',
    tests: HANGING,
  },
  {
    name: 'judge_of_a_killed_worker_goes_on',
    file: JUDGE,
    from: '10 * asked.ms',
    to: '1e8',
    tests: HANGING,
  },
  {
    name: 'patterns_backtrack',
    file: JUDGE,
    from: 'RE2JS.compile(RE2JS.translateRegExp(source))',
    to: 'new RegExp(source)',
    tests: HANGING,
  },
  {
    name: 'second_pattern_of_a_schema_is_the_first',
    file: JUDGE,
    from: ', toString: () => source }',
    to: ' }',
    tests: TESTS,
  },
  {
    name: 'schemas_refer_to_elsewhere',
    file: LIMITS,
    from: "inner.startsWith('#')",
    to: "inner.startsWith('')",
    tests: TESTS,
  },
  {
    name: 'schemas_have_any_size',
    file: LIMITS,
    from: 'if (size > SCHEMA_CHARS_MAX) {',
    to: 'if (size > 100 * SCHEMA_CHARS_MAX) {',
    tests: TESTS,
  },
  {
    name: 'schemas_are_asynchronous',
    file: LIMITS,
    from: "'$async', ",
    to: '',
    tests: TESTS,
  },
  {
    name: 'pointers_lead_to_prototypes',
    file: ASSERTIONS,
    from: ' || !Object.hasOwn(value, name)',
    to: '',
    tests: TESTS,
  },
  {
    name: 'texts_have_units_and_no_characters',
    file: ASSERTIONS,
    from: 'const { length } = Array.from(judged);',
    to: 'const { length } = judged;',
    tests: TESTS,
  },
];
