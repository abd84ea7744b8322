import type { Caller } from '../agents/caller.ts';
import type { Context } from '../kernel/context.ts';
import type { RateLimit } from '../kernel/operation.ts';
import { RATE_WINDOW_SECONDS } from '../kernel/rate_limit.ts';
import { Refusal } from '../kernel/refusal.ts';

/** Who makes calls, and how many. */
export interface CountedCalls {
  readonly caller: Caller;
  readonly address?: string | undefined;
  /** 1 unless given. */
  readonly calls?: number;
  readonly onRateLimit?: ((limit: RateLimit) => void) | undefined;
}

/**
 * Counts calls of a tree of agents, which spawns agents at will, or of an address without a key, in
 * the current minute, or refuses them with `rate_limited`. Operators are not limited.
 */
export async function countCalls(
  { config: { api }, callCounts }: Pick<Context, 'config' | 'callCounts'>,
  {
    caller: { rootId, operator, tier = 'free' },
    address = '',
    calls = 1,
    onRateLimit,
  }: CountedCalls,
): Promise<void> {
  const limit = api.rateLimits[rootId ? tier : 'public'];
  if (limit === null || operator !== undefined) return;
  const count = await callCounts.count(rootId || address, { limit, calls });
  const resetSeconds = Math.max(1, Math.ceil(count.resetMs / 1_000));
  const { left } = count;
  onRateLimit?.({ name: 'calls', limit, windowSeconds: RATE_WINDOW_SECONDS, left, resetSeconds });
  if (count.isWithin) return;
  throw new Refusal(
    'rate_limited',
    `More than ${limit} calls in a minute. Nothing was done: try again in ${resetSeconds} s.`,
    {
      limited_by: rootId ? 'tree' : 'address',
      limit,
      window_seconds: RATE_WINDOW_SECONDS,
      retry_after_seconds: resetSeconds,
    },
  );
}
