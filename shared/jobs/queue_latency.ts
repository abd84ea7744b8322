import type { JobQueue } from './queue.ts';

const ASK_EVERY_MS = 1_000;
/** Older answers say nothing. */
const STALE_AFTER_MS = 3_000;
/** A caller that joins a queue with more than this gets no answer while it waits. */
const LATENCY_MS_MAX = 20_000;

/** Tells whether a queue is too slow to take more calls. One whose latency is not known is not. */
export function openQueueLatency({
  latencyMs,
}: Pick<JobQueue, 'latencyMs'>): (queue: string) => boolean {
  const known = new Map<string, { latencyMs: number; askedAt: number }>();

  return (queue) => {
    const now = performance.now();
    const last = known.get(queue);
    if (last && now - last.askedAt < ASK_EVERY_MS) return last.latencyMs > LATENCY_MS_MAX;

    // This call does not wait for the answer: it is for the calls that come next.
    const isStale = !last || now - last.askedAt > STALE_AFTER_MS;
    const asked = { latencyMs: isStale ? 0 : last.latencyMs, askedAt: now };
    known.set(queue, asked);
    latencyMs(queue).then(
      (ms) => (asked.latencyMs = ms),
      () => (asked.latencyMs = 0), // Redis is away, and calls are recorded all the same.
    );
    return asked.latencyMs > LATENCY_MS_MAX;
  };
}
