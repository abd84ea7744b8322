import type { Holder } from './fair_queue.ts';

/**
 * Slows down those that repeat at once what they were refused: a refusal is quick, so the repeats
 * of one caller over thousands of connections would take all the time of a process. A holder gets
 * so many answers a second at once, and waits for those beyond that.
 */
export interface Pace {
  /**
   * Resolves when this holder may have its next refusal, after `msMax` at most. Holds nothing but
   * memory, and little.
   */
  wait(holder: Holder, msMax?: number): Promise<void>;
  /** Ends all waiting, now and later: the process is about to stop. */
  close(): void;
}

export interface PaceSettings {
  /** Those of a second go at once, and then as many a second. */
  readonly perSecond?: number;
  /** Nobody waits for longer, where its call does not say for how long. */
  readonly waitMsMax?: number;
  /** Of all holders. When so many wait, others do not. */
  readonly waitingMax?: number;
  readonly elapsedMs?: () => number;
}

const HOLDERS_MIN = 1_000;

export function openPace({
  perSecond = 100,
  waitMsMax = 5_000,
  waitingMax = 5_000,
  elapsedMs = () => performance.now(),
}: PaceSettings = {}): Pace {
  /** When each holder will have had all that it was promised. Later than now, or it is not here. */
  const doneAt = new Map<Holder, number>();
  const waiting = new Set<() => void>();
  let holdersMax = HOLDERS_MIN;
  let isClosed = false;

  /** How long to wait for one more. */
  function next(holder: Holder, msMax: number): number {
    const now = elapsedMs();
    if (doneAt.size >= holdersMax) forget(now);
    const done = Math.max(now, doneAt.get(holder) ?? 0) + 1_000 / perSecond;
    const ms = done - now - 1_000;
    // Not all at the same moment, or their callers would all repeat at the same moment too.
    if (ms > msMax) return msMax * (0.5 + Math.random() / 2);
    doneAt.set(holder, done);
    return ms;
  }

  function forget(now: number): void {
    for (const [holder, done] of doneAt) if (done <= now) doneAt.delete(holder);
    holdersMax = Math.max(HOLDERS_MIN, 2 * doneAt.size);
  }

  return {
    wait(holder, msMax = waitMsMax) {
      const ms = next(holder, msMax);
      if (isClosed || ms <= 0 || waiting.size >= waitingMax) return Promise.resolve();
      return new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          waiting.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        waiting.add(end);
      });
    },
    close() {
      isClosed = true;
      for (const end of waiting) end();
    },
  };
}
