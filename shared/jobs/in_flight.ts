import type { Seat } from './waiters.ts';

/** When none of an operation's flights came back for so long, its workers seem to be away. */
const SILENCE_MS_MAX = 1_000;
/** One that was lost is done again within seconds; after this time it counts no more. */
export const UNDER_WAY_MS_MAX = 10_000;
const LANDING_MS_MAX = 50;
const LANDED_MAX = 6;

/** The flights of an operation that were handed to workers and are not answered yet. */
export interface UnderWay {
  /** Resolves when this one is back, for which it has a seat, or is not to be waited for. */
  until(seat: Seat | undefined): Promise<void>;
  /**
   * How long a flight counts as in the air: until it is back, because what came meanwhile then goes
   * together, which PostgreSQL does for a third of the price. Not for long, or workers would wait
   * for the next one; but when many are under way they have enough to do, and flights that leave
   * all the same are small and make them slower still.
   */
  landed(end: Promise<void>): Promise<void>;
}

/**
 * All of this is only while any flight is answered: what is asked for while workers are away is
 * recorded too, for when they are back.
 */
export function openUnderWay(): UnderWay {
  let flights = 0;
  let heardAt = 0;

  async function ended(back: Seat['answer']): Promise<void> {
    const upAt = performance.now();
    let isBack = false;
    void back.then((answer) => {
      isBack = true;
      if (answer) heardAt = performance.now();
    });
    while (!isBack) {
      const until = Math.min(Math.max(upAt, heardAt) + SILENCE_MS_MAX, upAt + UNDER_WAY_MS_MAX);
      const ms = until - performance.now();
      if (ms <= 0) return;
      await firstOf(back, ms);
    }
  }

  return {
    async until(seat) {
      if (!seat) return;
      flights += 1;
      await ended(seat.answer);
      seat.leave();
      flights -= 1;
    },
    async landed(end) {
      await firstOf(end, LANDING_MS_MAX);
      if (flights > LANDED_MAX) await end;
    },
  };
}

const firstOf = (end: Promise<unknown>, ms: number) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms).unref();
    void end.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
