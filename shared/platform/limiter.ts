/**
 * Caps concurrent work in a process. Work beyond the cap is refused at once, before anything is
 * written for it: a queue that only grows serves nobody. A caller that only waits, for a worker or
 * for the rest of a slow request, is no work and holds no permit.
 */
export interface Limiter {
  isFull(): boolean;
  /** For how many ms all permits have been in use while none was released; 0: it is not full. */
  stuckMs(): number;
  /** Throws the limiter's refusal when it is full. */
  acquire(permit: Permit): void;
  release(permit: Permit): void;
}

export interface LimiterSettings {
  readonly permitsMax: number;
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
  permitMsMax,
  refuse,
  onOverdue,
  elapsedMs = () => performance.now(),
}: LimiterSettings): Limiter {
  /** When each permit was acquired, the oldest first. */
  const held = new Map<Permit, number>();
  let progressAt = 0;

  /** Only a full limiter looks for them: until then they are in nobody's way. */
  function takeBackOverdue(): void {
    const before = held.size;
    const overdue = elapsedMs() - permitMsMax;
    for (const [permit, acquiredAt] of held) {
      if (acquiredAt > overdue) break;
      held.delete(permit);
    }
    if (held.size < before) onOverdue(before - held.size);
  }

  function isFull(): boolean {
    if (held.size < permitsMax) return false;
    takeBackOverdue();
    return held.size >= permitsMax;
  }

  return {
    isFull,
    stuckMs: () => (isFull() ? elapsedMs() - progressAt : 0),
    acquire(permit) {
      if (isFull()) throw refuse();
      progressAt = elapsedMs();
      held.set(permit, progressAt);
    },
    release(permit) {
      if (held.delete(permit)) progressAt = elapsedMs();
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

  acquire(): void {
    if (this.#isHeld) return;
    this.#limiter.acquire(this);
    this.#isHeld = true;
  }

  release(): void {
    if (this.#isHeld) this.#limiter.release(this);
    this.#isHeld = false;
  }
}
