import type { Holder } from './shares/fair_queue.ts';
import { openShares } from './shares/shares.ts';

/**
 * Caps concurrent work in a process. Work beyond the cap is refused at once, before anything is
 * written for it: a queue that only grows serves nobody. A caller that only waits, for a worker or
 * for the rest of a slow request, is no work and holds no permit.
 * Each holder has a share (`Shares`).
 */
export interface Limiter {
  /** How many permits are in use. */
  inUse(): number;
  isFull(): boolean;
  /** For how many ms all permits have been in use while none was released; 0: it is not full. */
  stuckMs(): number;
  /** Whether some holder could be refused now; `isFree` says which. */
  isScarce(): boolean;
  /** Whether a permit is free for this holder. */
  isFree(holder: Holder): boolean;
  /** Throws the limiter's refusal when none is free for this holder. */
  acquire(permit: Permit, holder: Holder): void;
  release(permit: Permit): void;
}

export interface LimiterSettings {
  readonly permitsMax: number;
  /** Of these, how many one holder may have for each that is free. */
  readonly perFree: number;
  /** After so many ms a permit is taken back: nothing that is still at work holds one so long. */
  readonly permitMsMax: number;
  /** Makes the error for a call that finds all permits in use. */
  readonly refuse: () => Error;
  /** Told how many permits were taken back, which is a fault in whatever held them. */
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
  /** When each permit was acquired and for whom, the oldest first. */
  const held = new Map<Permit, { acquiredAt: number; holder: Holder }>();
  const shares = openShares(permitsMax, perFree);
  let progressAt = 0;

  /** Only a full limiter looks for them: until then they are in nobody's way. */
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
