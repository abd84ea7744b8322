import type { Mutation } from './mutation.ts';

const FOLDER = 'shared/platform/telemetry';
const parsed = ['test/platform/telemetry/traceparent.test.ts'];
const exported = ['test/platform/telemetry/collector_away.test.ts'];
const traced = ['test/platform/telemetry/traces.test.ts'];
const ended = ['test/platform/telemetry/exports.test.ts'];

/** Traces: what callers may decide, what leaves the process, and what stays together. */
export const TELEMETRY: readonly Mutation[] = [
  {
    name: 'a_caller_is_traced_as_often_as_it_wants',
    file: `${FOLDER}/sampler.ts`,
    from: 'if (respectsParents && !isAsked) return false;',
    to: 'if (respectsParents) return isAsked;',
    tests: exported,
    grep: 'ratio',
  },
  {
    name: 'a_traceparent_of_zeros_is_a_parent',
    file: `${FOLDER}/traceparent.ts`,
    from: String.raw`if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return undefined;`,
    to: '',
    tests: parsed,
  },
  {
    name: 'a_traceparent_of_version_0_may_have_more_fields',
    file: `${FOLDER}/traceparent.ts`,
    from: `(version === '00' && more !== undefined)`,
    to: 'false',
    tests: parsed,
  },
  {
    name: 'a_span_shows_the_literals_of_a_statement',
    file: `${FOLDER}/statement_spans.ts`,
    from: `text.replaceAll(/'(?:[^']|'')*'/g, "'?'")`,
    to: 'text',
    tests: parsed,
  },
  {
    name: 'an_export_that_fails_is_logged_each_time',
    file: `${FOLDER}/export_report.ts`,
    from: 'if (lost === 0) {',
    to: 'if (lost >= 0) {',
    tests: exported,
    grep: 'named once',
  },
  {
    name: 'the_last_spans_are_not_sent_at_the_end',
    file: 'shared/composition/open_context.ts',
    from: 'const sent = telemetry?.close();',
    to: 'const sent = Promise.resolve(telemetry);',
    tests: ended,
    grep: 'before a process ends',
  },
  {
    name: 'a_job_that_is_tried_again_leaves_its_trace',
    file: 'workers/job_row.ts',
    from: 'const trace = traceOfRow(found.trace);',
    to: 'const trace = found.attempts > 0 ? undefined : traceOfRow(found.trace);',
    tests: traced,
    grep: 'tried again',
  },
];
