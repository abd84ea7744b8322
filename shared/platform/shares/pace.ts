import type { Holder } from './fair_queue.ts';

/**
 * Slows down immediate repeats of refused calls: a refusal is quick, so the repeats of one caller
 * over thousands of connections would take all the time of a process. A holder gets a number of
 * refusals a second at once, and waits for those beyond it.
 */
export interface Pace {
  /**
   * Resolves when this holder may have its next refusal, after at most `msMax`. Uses only a little
   * memory.
   */
  wait(holder: Holder, msMax?: number): Promise<void>;
  /** Ends all waiting, now and later: the process is about to stop. */
  close(): void;
}

interface PaceSettings {
  /** Refusals a second; those of one second may come at once. */
  readonly perSecond?: number;
  /** Maximum wait, if the call gives none. */
  readonly waitMsMax?: number;
  /** Maximum waits of all holders; beyond it nobody waits. */
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
  /** Time at which each holder will have had all its promised refusals; past times are removed. */
  const doneAt = new Map<Holder, number>();
  const waiting = new Set<() => void>();
  let holdersMax = HOLDERS_MIN;
  let isClosed = false;

  /** Time to wait for one more refusal. */
  function next(holder: Holder, msMax: number): number {
    const now = elapsedMs();
    if (doneAt.size >= holdersMax) forget(now);
    const done = Math.max(now, doneAt.get(holder) ?? 0) + 1_000 / perSecond;
    const ms = done - now - 1_000;
    // Spread over time: callers refused at the same moment would all repeat at the same moment.
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
