/**
 * Caps concurrent work in a process. Work beyond the cap is refused at once, before anything is
 * written for it: a queue that only grows serves nobody. A caller that only waits, for a worker or
 * for the rest of a slow request, is no work and holds no permit.
 */
export interface Limiter {
  isFull(): boolean;
  /** Throws the limiter's refusal when it is full. */
  acquire(): void;
  release(permits: number): void;
}

/** `refuse` makes the error for a call that finds `permitsMax` permits in use. */
export function openLimiter(permitsMax: number, refuse: () => Error): Limiter {
  let acquired = 0;
  return {
    isFull: () => acquired >= permitsMax,
    acquire() {
      if (acquired >= permitsMax) throw refuse();
      acquired += 1;
    },
    release: (permits) => void (acquired -= permits),
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
    this.#limiter.acquire();
    this.#isHeld = true;
  }

  release(): void {
    if (this.#isHeld) this.#limiter.release(1);
    this.#isHeld = false;
  }
}
