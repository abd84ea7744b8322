import type { JobQueue } from './queue.ts';

const ASK_EVERY_MS = 1_000;
/** Age from which an answer is stale. */
const STALE_AFTER_MS = 3_000;
/** Latency above which a new call would get no answer while it waits. */
const LATENCY_MS_MAX = 20_000;

/** Tells whether a queue is too slow for more calls; without a known latency it is not. */
export function openQueueLatency({
  latencyMs,
}: Pick<JobQueue, 'latencyMs'>): (queue: string) => boolean {
  const known = new Map<string, { latencyMs: number; askedAt: number }>();

  return (queue) => {
    const now = performance.now();
    const last = known.get(queue);
    if (last && now - last.askedAt < ASK_EVERY_MS) return last.latencyMs > LATENCY_MS_MAX;

    // This call does not wait for the answer, which is for later calls.
    const isStale = !last || now - last.askedAt > STALE_AFTER_MS;
    const asked = { latencyMs: isStale ? 0 : last.latencyMs, askedAt: now };
    known.set(queue, asked);
    latencyMs(queue).then(
      (ms) => (asked.latencyMs = ms),
      () => (asked.latencyMs = 0), // Redis is unreachable; calls are recorded all the same.
    );
    return asked.latencyMs > LATENCY_MS_MAX;
  };
}
