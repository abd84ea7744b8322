import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** What this process has computed so far. */
export const computedSoFar = (): EventLoopUtilization => performance.eventLoopUtilization();

/**
 * Waits for as long as this process has computed since then, of which its own waiting is no part.
 * So long work that calls it leaves half of a core to others, in short turns, and takes hardly
 * longer where it is others who take the time.
 */
export const restSince = (since: EventLoopUtilization, signal?: AbortSignal): Promise<void> =>
  sleep(performance.eventLoopUtilization(since).active, undefined, signal && { signal });
