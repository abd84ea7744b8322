import type { Mutation } from '../../mutation.ts';

const JSON_RPC = 'workers/gateways/rpc/json_rpc.ts';
const SENDER = 'workers/gateways/rpc/sender.ts';
const plans = ['test/deposits/providers/plans.test.ts'];
const learning = ['test/deposits/providers/learning.test.ts'];

/** How providers with the limits of public plans are asked. */
export const PROVIDER_LIMITS: readonly Mutation[] = [
  {
    name: 'provider_limits_of_a_batch_are_not_learned',
    file: JSON_RPC,
    from: 'if (refusal && group.length > 1) batch.refused(group.length, refusal.limit);',
    to: 'if (refusal && group.length < 1) batch.refused(group.length, refusal.limit);',
    tests: plans,
    grep: 'batches of 3',
  },
  {
    name: 'provider_limits_of_logs_are_not_learned',
    file: JSON_RPC,
    from: "if (refusal.kind !== 'range' || blocks === undefined || blocks === 1) throw refusal;",
    to: "if (refusal.kind === 'range' || blocks === undefined || blocks === 1) throw refusal;",
    tests: plans,
    grep: 'logs of 10 blocks',
  },
  {
    name: 'provider_limits_lose_logs_of_a_refused_range',
    file: JSON_RPC,
    from: 'return (await answersTo(provider, [piece]))[0];',
    to: 'return [];',
    tests: learning,
    grep: 'half way',
  },
  {
    name: 'provider_limits_lose_the_last_block_of_a_range',
    file: 'workers/gateways/rpc/log_range.ts',
    from: 'const last = Math.min(first + blocksMax - 1, to);',
    to: 'const last = Math.min(first + blocksMax - 2, to);',
    tests: learning,
    grep: 'half way',
  },
  {
    name: 'provider_limits_of_a_rate_are_not_obeyed',
    file: SENDER,
    from: 'if (said.some(isTooFast)) turn.refused(answered.retryAfterMs);',
    to: 'if (said.some(isTooFast)) turn.answered();',
    tests: learning,
    grep: 'a pause that is too long',
  },
  {
    name: 'provider_limits_grow_quickly_after_a_refusal',
    file: 'workers/gateways/rpc/limit.ts',
    from: 'needed = needed < NEEDED ? NEEDED : Math.min(needed * 2, NEEDED_MAX);',
    to: 'needed = Math.min(needed, NEEDED_MAX);',
    tests: learning,
    grep: 'small steps',
  },
  {
    name: 'provider_words_are_shown_as_they_are',
    file: 'workers/gateways/rpc/redact.ts',
    from: '.replace(RUNS, hiddenRun)\n    .slice',
    to: '.slice',
    tests: learning,
    grep: 'are shown without URLs',
  },
  {
    name: 'token_of_algod_goes_where_it_is_sent',
    file: 'workers/gateways/algorand/counted_client.ts',
    from: "redirect: 'error',",
    to: "redirect: 'follow',",
    tests: ['test/deposits/algorand/counted_client.test.ts'],
  },
];
