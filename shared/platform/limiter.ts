import type { Holder } from './shares/fair_queue.ts';
import { openShares } from './shares/shares.ts';

/**
 * Caps concurrent work in a process. Work beyond the cap is refused at once, before anything is
 * written for it: a queue that only grows serves nobody. A caller that only waits, for a worker or
 * for the rest of a slow request, holds no permit. Each holder has a share (`Shares`).
 */
export interface Limiter {
  /** Number of permits in use. */
  inUse(): number;
  isFull(): boolean;
  /** Time in ms that all permits have been in use and none was released; 0: not full. */
  stuckMs(): number;
  /** Whether some holder could be refused now; `isFree` tells which. */
  isScarce(): boolean;
  /** Whether a permit is free for this holder. */
  isFree(holder: Holder): boolean;
  /** Acquires a permit. Throws the limiter's refusal if none is free for this holder. */
  acquire(permit: Permit, holder: Holder): void;
  release(permit: Permit): void;
}

interface LimiterSettings {
  readonly permitsMax: number;
  /** Permits that one holder may have for each free permit. */
  readonly perFree: number;
  /** Time in ms after which a permit is taken back: no running work holds one for so long. */
  readonly permitMsMax: number;
  /** Makes the error for work that finds no free permit. */
  readonly refuse: () => Error;
  /** Receives the number of permits taken back, which is a fault of the code that held them. */
  readonly onOverdue: (permits: number) => void;
  readonly elapsedMs?: () => number;
}

export function openLimiter({
  permitsMax,
  perFree,
  permitMsMax,
  refuse,
  onOverdue,
  elapsedMs = () => performance.now(),
}: LimiterSettings): Limiter {
  /** Time and holder of each acquired permit, oldest first. */
  const held = new Map<Permit, { acquiredAt: number; holder: Holder }>();
  const shares = openShares(permitsMax, perFree);
  let progressAt = 0;

  /** Takes back overdue permits; only in a full limiter, because before they disturb nobody. */
  function takeBackOverdue(): void {
    const before = held.size;
    const overdue = elapsedMs() - permitMsMax;
    for (const [permit, { acquiredAt, holder }] of held) {
      if (acquiredAt > overdue) break;
      held.delete(permit);
      shares.release(holder);
    }
    if (held.size < before) onOverdue(before - held.size);
  }

  function isFull(): boolean {
    if (held.size < permitsMax) return false;
    takeBackOverdue();
    return held.size >= permitsMax;
  }

  return {
    inUse: () => held.size,
    isFull,
    stuckMs: () => (isFull() ? elapsedMs() - progressAt : 0),
    isScarce: () => isFull() || shares.isScarce(),
    isFree: (holder) => !isFull() && shares.isFree(holder),
    acquire(permit, holder) {
      if (isFull() || !shares.acquire(holder)) throw refuse();
      progressAt = elapsedMs();
      held.set(permit, { acquiredAt: progressAt, holder });
    },
    release(permit) {
      const lent = held.get(permit);
      if (!lent) return;
      held.delete(permit);
      shares.release(lent.holder);
      progressAt = elapsedMs();
    },
  };
}

/** One permit of a limiter: acquired at most once, released at most once. */
export class Permit {
  readonly #limiter: Limiter;
  #isHeld = false;

  constructor(limiter: Limiter) {
    this.#limiter = limiter;
  }

  acquire(holder: Holder): void {
    if (this.#isHeld) return;
    this.#limiter.acquire(this, holder);
    this.#isHeld = true;
  }

  release(): void {
    if (this.#isHeld) this.#limiter.release(this);
    this.#isHeld = false;
  }
}
