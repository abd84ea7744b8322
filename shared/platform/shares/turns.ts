import { openFairQueue, type Holder } from './fair_queue.ts';
import { openShares } from './shares.ts';

/** Work that waits for its turn instead of being refused. */
export interface Turns {
  /** Number of calls of `run` that wait for their turn. */
  waiting(): number;
  /** Runs `work` when it is the holder's turn. Rejects with what `work` rejects with. */
  run<T>(holder: Holder, work: () => Promise<T>): Promise<T>;
}

interface TurnSettings {
  /** Maximum that run at once. */
  readonly max: number;
  /** Maximum of one holder for each of `max` that is free (`Shares`). Absent: no limit. */
  readonly perFree?: number;
  /** Further ones for holders of whom none runs (`openShares`). Absent: none. */
  readonly loneMax?: number;
  /** Maximum that wait; beyond it the newest of the holder with most is refused. Absent: any. */
  readonly waitingMax?: number;
  /** Maximum wait in ms, after which work is refused too. Absent: no limit. */
  readonly waitMs?: number;
  /** Makes the error for refused work. */
  readonly refuse: () => Error;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** Runs work by turns: a holder with much work delays another by one piece of work. */
export function openTurns(settings: TurnSettings): Turns {
  const { max, perFree, loneMax, waitingMax = Infinity, waitMs, refuse } = settings;
  const shares = openShares(max, perFree, loneMax);
  const waiting = openFairQueue<Waiting>();

  function startNext(): void {
    const next = waiting.shift((holder) => shares.isFree(holder));
    if (!next) return;
    next.start();
    startNext();
  }

  const turnOf = (holder: Holder) =>
    new Promise<void>((resolve, reject) => {
      const timer: { timeUp?: NodeJS.Timeout } = {};
      let isOver = false;
      function end(settle: () => void): void {
        isOver = true;
        clearTimeout(timer.timeUp);
        settle();
      }
      function start(): void {
        shares.acquire(holder);
        end(resolve);
      }
      const turn = { start, refuse: () => end(() => reject(refuse())) };
      waiting.push(holder, turn);
      startNext();
      if (waiting.size > waitingMax) waiting.dropNewest()!.refuse();
      if (isOver || waitMs === undefined) return;
      timer.timeUp = setTimeout(() => {
        waiting.remove(holder, turn);
        turn.refuse();
      }, waitMs);
    });

  return {
    waiting: () => waiting.size,
    async run(holder, work) {
      await turnOf(holder);
      try {
        return await work();
      } finally {
        shares.release(holder);
        startNext();
      }
    },
  };
}
