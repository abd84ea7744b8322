import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** The computing time of this process so far. */
export const computedSoFar = (): EventLoopUtilization => performance.eventLoopUtilization();

/**
 * Waits as long as this process has computed since then, not counting idle time. Long work that
 * calls it leaves half of a core to others, in short turns, and takes hardly longer if others use
 * the core anyway.
 */
export const restSince = (since: EventLoopUtilization, signal?: AbortSignal): Promise<void> =>
  sleep(performance.eventLoopUtilization(since).active, undefined, signal && { signal });
