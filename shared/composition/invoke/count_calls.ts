import type { Caller } from '../../kernel/caller.ts';
import type { Context } from '../context.ts';
import type { RateLimit } from '../../kernel/tx.ts';
import { RATE_WINDOW_SECONDS } from '../../kernel/rate_limit.ts';
import { Refusal } from '../../kernel/refusal.ts';

/** The caller to count calls for, and their number. */
interface CountedCalls {
  readonly caller: Caller;
  readonly address?: string | undefined;
  /** Number of calls; 1 if absent. */
  readonly calls?: number;
  readonly onRateLimit?: ((limit: RateLimit) => void) | undefined;
}

/**
 * Counts calls in the current minute, or refuses them with `rate_limited`. The limit is for a tree,
 * because agents spawn others at will, or for an address without a key. Operators are not limited.
 */
export async function countCalls(
  { config: { api }, callCounts, clock }: Pick<Context, 'config' | 'callCounts' | 'clock'>,
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
    `More than ${limit} calls in a minute. Nothing was done: retry in ${resetSeconds} s.`,
    {
      limited_by: rootId ? 'tree' : 'address',
      limit,
      used: limit,
      window_seconds: RATE_WINDOW_SECONDS,
      retry_after_seconds: resetSeconds,
      resets_at: new Date(clock.now().getTime() + count.resetMs).toISOString(),
    },
  );
}
