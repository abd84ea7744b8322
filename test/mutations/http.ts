import type { Mutation } from './mutation.ts';

const badInputTests = ['test/api/http/bad_input.test.ts'];
const bodyTests = ['test/faults/unfinished_bodies.test.ts'];
const corsTests = ['test/api/http/cors.test.ts'];
const judgeTests = ['test/proxies/proxy_judge.test.ts'];

/** What callers may use of an API, and what is believed of their requests. */
export const HTTP: readonly Mutation[] = [
  {
    name: 'the_first_address_that_was_forwarded_is_believed',
    file: 'api/http/caller_address.ts',
    from: 'forwarded.at(-trustedHops)',
    to: 'forwarded.at(0)',
    tests: judgeTests,
    grep: 'X-Forwarded-For',
  },
  {
    name: 'a_forwarded_address_is_believed_without_a_router',
    file: 'api/http/caller_address.ts',
    from: 'if (trustedHops === 0) return seen;',
    to: '',
    tests: judgeTests,
    grep: 'answers the address',
  },
  {
    name: 'bodies_without_a_key_may_be_as_large_as_others',
    file: 'api/http/request.ts',
    from: 'const OF_UNKNOWN = { bytesMax: 8 * 1024,',
    to: 'const OF_UNKNOWN = { bytesMax: 256 * 1024,',
    tests: bodyTests,
    grep: 'of more than 8 kB',
  },
  {
    name: 'bodies_without_a_key_take_from_those_with_one',
    file: 'api/http/request.ts',
    from: 'const { bytesMax, bodies } = holder ? OF_KNOWN : OF_UNKNOWN;',
    to: 'const { bytesMax } = holder ? OF_KNOWN : OF_UNKNOWN; const { bodies } = OF_KNOWN;',
    tests: bodyTests,
    grep: '300 senders',
  },
  {
    name: 'all_unfinished_bodies_have_one_holder',
    file: 'api/http/request.ts',
    from: 'bodies.begin(holder || state.address, () => {',
    to: `bodies.begin('all', () => {`,
    tests: bodyTests,
    grep: 'cost the agent',
  },
  {
    name: 'a_body_may_be_as_large_as_it_likes',
    file: 'api/http/request.ts',
    from: 'bytesMax: 256 * 1024, bodies',
    to: 'bytesMax: 256 * 1024 * 1024, bodies',
    tests: badInputTests,
    grep: 'too large',
  },
  {
    name: 'a_body_that_breaks_utf8_is_read',
    file: 'api/http/request.ts',
    from: `new TextDecoder('utf-8', { fatal: true })`,
    to: `new TextDecoder('utf-8')`,
    tests: badInputTests,
    grep: 'UTF-8',
  },
  {
    name: 'a_compressed_body_is_taken_for_a_plain_one',
    file: 'api/http/request.ts',
    from: `if (encoding && encoding.toLowerCase() !== 'identity') {`,
    to: `if (encoding === 'gzip') {`,
    tests: badInputTests,
    grep: 'UTF-8',
  },
  {
    name: 'brackets_in_a_text_are_depth',
    file: 'api/http/json_bounds.ts',
    from: 'if (char === BACKSLASH) n += 1;',
    to: 'if (char === -1) n += 1;',
    tests: badInputTests,
    grep: 'nested too deep',
  },
  {
    name: 'json_may_be_nested_without_end',
    file: 'api/http/json_bounds.ts',
    from: `if (depth > DEPTH_MAX) return 'is nested too deep';`,
    to: '',
    tests: ['test/faults/slow_clients.test.ts'],
    grep: 'hundred thousand levels',
  },
  {
    name: 'pages_of_any_origin_act_for_operators',
    file: 'api/http/cors.ts',
    from: 'if (origin === undefined || CLOSED.test(url)) return {};',
    to: 'if (origin === undefined) return {};',
    tests: corsTests,
  },
  {
    name: 'origins_that_are_not_listed_are_served',
    file: 'api/http/cors.ts',
    from: 'if (!isAny && !origins.includes(origin)) return {};',
    to: '',
    tests: corsTests,
  },
  {
    name: 'an_api_that_ends_is_ready',
    file: 'api/http/health.ts',
    from: 'serves && skewMs < SKEW_MS_MAX && !draining.aborted',
    to: 'serves && skewMs < SKEW_MS_MAX',
    tests: ['test/api/http/health.test.ts'],
    grep: 'told to end',
  },
  {
    name: 'the_load_shedder_knows_no_shares',
    file: 'api/http/load_shedder.ts',
    from: 'if (calls.isFree(holder) && (!job || jobs.isFree(holder))) return false;',
    to: 'if (!calls.isFull() && (!job || !jobs.isFull())) return false;',
    tests: ['test/faults/shares.test.ts'],
    equivalent:
      'The shedder only saves the cost of a refusal: `invoke` refuses the same calls by their ' +
      'shares.',
  },
  {
    name: 'the_load_shedder_refuses_everybody_where_one_has_its_share',
    file: 'api/http/load_shedder.ts',
    from: 'if (calls.isFree(holder) && (!job || jobs.isFree(holder))) return false;',
    to: '',
    tests: ['test/faults/shares.test.ts'],
    grep: 'leaves others permits',
  },
  {
    name: 'a_permit_is_kept_after_its_call',
    file: 'shared/kernel/invoke.ts',
    from: `} finally {
      permit.release();
    }`,
    to: '} finally {}',
    tests: ['test/faults/limiters.test.ts'],
    grep: 'every interface',
  },
  {
    name: 'a_tree_has_a_share_for_each_agent',
    file: 'shared/kernel/call.ts',
    from: 'caller: { rootId, operator },',
    to: 'caller: { agentId: rootId, operator },',
    tests: ['test/faults/shares.test.ts'],
    grep: 'leaves others permits',
  },
];
