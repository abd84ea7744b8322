import type { Holder } from '../shared/platform/shares/fair_queue.ts';
import { openTurns } from '../shared/platform/shares/turns.ts';

/** Alone, a holder may have half of them. */
const PER_FREE = 1;
/**
 * Most end within milliseconds, so one beyond the share of its holder waits here for a moment: no
 * longer than it would be put off, and long before it is believed to be lost.
 */
const WAIT_MS = 250;
/** For each that may be in hand. */
const WAITING_EACH = 4;
/**
 * For each of them, so many more for holders that have none: those that only wait for a peer hold
 * up nobody who comes for the first time.
 */
const LONE_EACH = 3;

/**
 * The jobs of agents in a worker that ask outside systems. They go on after their batch has ended:
 * a batch that waited for a slow peer would hold up the queue. So their number is limited here, and
 * each holder has its share.
 */
export interface Gatherings {
  /** Resolves when it has begun. False: this holder has as many as it may, and none ended soon. */
  begin(holder: Holder, perform: () => Promise<void>): Promise<boolean>;
  /** Something about them that goes on when their batch has ended. */
  follow(work: Promise<void>): void;
  /** Resolves when all have ended, and none waits. */
  settled(): Promise<void>;
}

export function openGatherings(max: number, onFault: (error: unknown) => void): Gatherings {
  const turns = openTurns({
    max,
    perFree: PER_FREE,
    loneMax: max * LONE_EACH,
    waitingMax: max * WAITING_EACH,
    waitMs: WAIT_MS,
    refuse: () => new BeyondShare(),
  });
  const running = new Set<Promise<void>>();

  function follow(work: Promise<void>): void {
    const ended = work.catch(onFault).finally(() => running.delete(ended));
    running.add(ended);
  }

  return {
    follow,
    begin(holder, perform) {
      return new Promise((resolve) => {
        const ended = turns.run(holder, () => {
          resolve(true);
          return perform();
        });
        follow(
          ended.catch((error: unknown) => {
            if (!(error instanceof BeyondShare)) throw error;
            resolve(false);
          }),
        );
      });
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}

class BeyondShare extends Error {}
