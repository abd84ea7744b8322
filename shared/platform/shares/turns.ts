import { openFairQueue, type Holder } from './fair_queue.ts';
import { openShares } from './shares.ts';

/** Work that waits for its turn instead of being refused. */
export interface Turns {
  /** How much work waits for its turn. */
  waiting(): number;
  /** Runs `work` when it is the holder's turn. Rejects with what `work` rejects with. */
  run<T>(holder: Holder, work: () => Promise<T>): Promise<T>;
}

export interface TurnSettings {
  /** How many run at once. */
  readonly max: number;
  /** Of these, how many of one holder for each that is free (`Shares`). Absent: all. */
  readonly perFree?: number;
  /** How many more run of holders of whom none runs (`openShares`). Absent: none. */
  readonly loneMax?: number;
  /** Of more that wait, the newest of the holder with most is refused. Absent: all may wait. */
  readonly waitingMax?: number;
  /** What has waited for so long, in ms, is refused too. Absent: it waits on. */
  readonly waitMs?: number;
  /** Makes the error for it. */
  readonly refuse: () => Error;
}

interface Waiting {
  readonly start: () => void;
  readonly refuse: () => void;
}

/** Holders take turns: one with much work delays another's by one piece of it. */
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
