import { Refusal } from '../kernel/refusal.ts';
import { openFairQueue, type Holder } from '../platform/shares/fair_queue.ts';
import { tracing, type Span } from '../platform/telemetry/tracing.ts';

interface Options<T, R> {
  /** Number of calls, or sum of their weights, at which a batch is full. */
  readonly size?: number;
  /** Weight of a call, which may be many calls already. Absent: 1. */
  readonly weightOf?: (call: T) => number;
  readonly maxInFlight?: number;
  /**
   * Maximum ms that a batch which is not full waits while another is in flight, for batches that
   * are costly to start. It is limited because a delayed batch must not delay all others.
   */
  readonly fillMs?: number;
  /** Maximum pending calls besides those that the next batches take. */
  readonly maxPending?: number;
  /** Holder of a call: with more than a batch pending, holders take turns. Absent: one holder. */
  readonly holderOf?: (call: T) => Holder;
  /** Resolves when a batch is no longer in flight, if that is later than its results. */
  readonly untilDone?: (results: readonly R[]) => Promise<unknown>;
}

interface Pending<T, R> {
  readonly call: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
  /** The span in which it was made, if its trace is exported. */
  readonly span: Span | undefined;
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
    weightOf = () => 1,
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

  /** Time in ms that the next batch waits for more calls. */
  function msToFill(): number {
    if (inFlight === 0 || pending.size >= size) return 0;
    return flushedAt + fillMs - performance.now();
  }

  async function flush(): Promise<void> {
    const batch: Pending<T, R>[] = [];
    for (let weight = 0; weight < size && pending.size > 0;) {
      const next = pending.shift()!;
      batch.push(next);
      weight += weightOf(next.call);
    }
    if (batch.length === 0) return;
    inFlight += 1;
    flushedAt = performance.now();
    try {
      const results = await inSpanOf(batch, () => run(batch.map(({ call }) => call)));
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
      const leaving = (maxInFlight - inFlight) * size; // These leave at the end of this turn.
      if (pending.size >= maxPending + leaving) {
        // Nothing is written yet, so the caller can simply retry.
        reject(new Refusal('queue_overloaded', 'Too many calls at once. Retry later.'));
        return;
      }
      pending.push(holderOf(call), { call, resolve, reject, span: tracing()?.active() });
      scheduleFlush();
    });
}

/** The work of a batch is in the trace of the first of its calls that has one. */
function inSpanOf<R>(batch: readonly { readonly span: Span | undefined }[], work: () => R): R {
  const traces = tracing();
  return traces ? traces.within(batch.find(({ span }) => span)?.span, work) : work();
}
