import type { Mutation } from './mutation.ts';

const tests = ['test/kernel/rate_limits.test.ts'];
const countTests = ['test/platform/call_counts.test.ts'];
const counts = 'shared/platform/shares/call_counts.ts';
const limits = 'shared/composition/invoke/count_calls.ts';

/** How many calls an agent, or an address without a key, may make in a minute. */
export const RATE_LIMITS: readonly Mutation[] = [
  {
    name: 'one_call_more_than_the_limit',
    file: counts,
    from: 'isWithin: before <= limit,',
    to: 'isWithin: before <= limit + 1,',
    tests: countTests,
  },
  {
    name: 'each_process_counts_alone',
    file: counts,
    from: '`${prefix}:calls:${holder}`',
    to: '`${prefix}:calls:${redis.stream.localPort}${holder}`',
    tests: countTests,
  },
  {
    name: 'a_window_never_ends',
    file: counts,
    from: "redis.call('pexpire', key, ms)",
    to: '',
    tests: countTests,
  },
  {
    name: 'a_holder_that_is_refused_still_costs_redis',
    file: counts,
    from: 'if (calls.every(({ limit }) => used >= limit))',
    to: 'if (calls.length === 0)',
    tests: countTests,
  },
  {
    name: 'a_silent_redis_is_waited_for',
    file: counts,
    from: 'const ANSWER_MS_MAX = 500;',
    to: 'const ANSWER_MS_MAX = 25_000;',
    tests: countTests,
  },
  {
    name: 'every_call_asks_a_redis_that_is_away',
    file: counts,
    from: 'const ALONE_MS = 1_000;',
    to: 'const ALONE_MS = 0;',
    tests: countTests,
  },
  {
    name: 'without_redis_nothing_is_counted',
    file: counts,
    from: 'window.used += sumOf(calls);',
    to: '',
    tests: countTests,
  },
  {
    name: 'a_batch_counts_as_one_call',
    file: 'api/mcp/messages/posted_body.ts',
    from: 'calls: Math.max(1, messagesIn(posted).filter(isAnswered).length),',
    to: '',
    tests,
  },
  {
    name: 'a_call_of_rest_is_not_counted',
    file: 'shared/composition/invoke/invoke.ts',
    from: 'incoming.isCounted || countCalls(context, { caller, address, onRateLimit }),',
    to: 'true,',
    tests,
  },
  {
    name: 'a_tool_call_is_counted_twice',
    file: 'api/mcp/calls/call.ts',
    from: 'isCounted: true,\n      // A call that outlives',
    to: '// A call that outlives',
    tests,
  },
  {
    name: 'a_message_of_a_stream_is_not_counted',
    file: 'api/mcp/sse/sse.ts',
    from: 'await countPosted(context, ctx, { caller, posted: message });',
    to: '',
    tests,
  },
  {
    name: 'a_tool_call_without_json_rpc_is_not_counted',
    file: 'api/mcp/calls/call.ts',
    from: 'await countCalls(context, { caller, address: ctx.state.address, onRateLimit });',
    to: '',
    tests,
  },
  {
    name: 'every_tier_has_the_lowest_limit',
    file: limits,
    from: "api.rateLimits[rootId ? tier : 'public']",
    to: "api.rateLimits[rootId ? 'free' : 'public']",
    tests,
  },
  {
    name: 'the_tree_of_a_child_has_no_tier',
    file: 'migrations/functions/live_keys.sql',
    from: 'join ledger.treasury tree on tree.id = k.root_id',
    to: 'left join ledger.treasury tree on tree.id = k.agent_id',
    tests,
  },
  {
    name: 'each_agent_of_a_tree_is_counted_alone',
    file: limits,
    from: "caller: { rootId, operator, tier = 'free' },",
    to: "caller: { agentId: rootId, operator, tier = 'free' },",
    tests,
  },
  {
    name: 'agents_are_counted_by_address',
    file: limits,
    from: 'callCounts.count(rootId || address,',
    to: 'callCounts.count(address,',
    tests,
  },
  {
    name: 'operators_are_limited',
    file: limits,
    from: 'if (limit === null || operator !== undefined) return;',
    to: 'if (limit === null) return;',
    tests,
  },
  {
    name: 'a_refusal_says_no_time',
    file: limits,
    from: 'onRateLimit?.({ name:',
    to: 'if (count.isWithin) onRateLimit?.({ name:',
    tests,
  },
];
