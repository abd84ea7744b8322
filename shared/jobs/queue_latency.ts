import type { JobQueue } from './queue.ts';

const ASK_EVERY_MS = 1_000;
/** Older answers say nothing. */
const STALE_AFTER_MS = 3_000;
/** Whoever joins a queue that is so late hears no answer while they wait. */
const LATE_MS_MAX = 20_000;

/** Tells of a queue whether it is too late to take on more. Of one that is not known to be, no. */
export function openLateness({ lateMs }: Pick<JobQueue, 'lateMs'>): (queue: string) => boolean {
  const known = new Map<string, { lateMs: number; askedAt: number }>();

  return (queue) => {
    const now = performance.now();
    const last = known.get(queue);
    if (last && now - last.askedAt < ASK_EVERY_MS) return last.lateMs > LATE_MS_MAX;

    // Nobody waits for the answer: it is for those who come next.
    const isStale = !last || now - last.askedAt > STALE_AFTER_MS;
    const asked = { lateMs: isStale ? 0 : last.lateMs, askedAt: now };
    known.set(queue, asked);
    lateMs(queue).then(
      (ms) => (asked.lateMs = ms),
      () => (asked.lateMs = 0), // Redis is away, and calls are recorded all the same.
    );
    return asked.lateMs > LATE_MS_MAX;
  };
}
