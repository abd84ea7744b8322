import { Refusal } from '../kernel/refusal.ts';
import { openFairQueue, type Holder } from '../platform/shares/fair_queue.ts';

interface Options<T, R> {
  /** Calls in one batch. */
  readonly size?: number;
  readonly maxInFlight?: number;
  /**
   * For what is dear to begin: a batch that is not full waits while another is in flight, so many
   * ms at most, since one that is held up must not hold up all others.
   */
  readonly fillMs?: number;
  /** Calls that may be pending beside those that the next batches take. */
  readonly maxPending?: number;
  /** Whose call it is: with more than a batch pending, holders take turns. Absent: all are one. */
  readonly holderOf?: (call: T) => Holder;
  /** Where the results are not the end of a batch: how long it still counts as in flight. */
  readonly untilDone?: (results: readonly R[]) => Promise<unknown>;
}

interface Pending<T, R> {
  readonly call: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns many calls of one slow step into few. A batch takes the calls that have gathered while
 * earlier batches were in flight. The first call is sent at once, so nothing waits when idle.
 *
 * `run` answers a whole batch, in order; if it throws, every call of that batch fails.
 */
export function batcher<T, R>(
  run: (calls: T[]) => Promise<R[]>,
  {
    size = 64,
    maxInFlight = 3,
    fillMs = 0,
    maxPending = 5_000,
    holderOf = () => '',
    untilDone,
  }: Options<T, R> = {},
): (call: T) => Promise<R> {
  const pending = openFairQueue<Pending<T, R>>();
  let inFlight = 0;
  let flushScheduled = false;
  let flushedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  // Calls that arrive in the same turn of the event loop go together.
  function scheduleFlush(): void {
    if (flushScheduled || inFlight >= maxInFlight) return;
    const ms = msToFill();
    if (ms > 0) {
      timer ??= setTimeout(() => {
        timer = undefined;
        if (pending.size > 0) scheduleFlush();
      }, ms).unref();
      return;
    }
    flushScheduled = true;
    setImmediate(() => {
      flushScheduled = false;
      void flush();
      if (pending.size > 0) scheduleFlush();
    });
  }

  /** How long the next batch waits for more calls. */
  function msToFill(): number {
    if (inFlight === 0 || pending.size >= size) return 0;
    return flushedAt + fillMs - performance.now();
  }

  async function flush(): Promise<void> {
    const batch: Pending<T, R>[] = [];
    while (batch.length < size && pending.size > 0) batch.push(pending.shift()!);
    if (batch.length === 0) return;
    inFlight += 1;
    flushedAt = performance.now();
    try {
      const results = await run(batch.map(({ call }) => call));
      batch.forEach(({ resolve }, n) => resolve(results[n]!));
      await untilDone?.(results);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      inFlight -= 1;
      if (pending.size > 0) scheduleFlush();
    }
  }

  return (call) =>
    new Promise((resolve, reject) => {
      const leaving = (maxInFlight - inFlight) * size; // They wait only for this turn to end.
      if (pending.size >= maxPending + leaving) {
        // Nothing is written yet, so the caller may simply try again.
        reject(new Refusal('queue_overloaded', 'Too many calls at once. Try again in a moment.'));
        return;
      }
      pending.push(holderOf(call), { call, resolve, reject });
      scheduleFlush();
    });
}
