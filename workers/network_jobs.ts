import type { Holder } from '../shared/platform/shares/fair_queue.ts';
import { openTurns } from '../shared/platform/shares/turns.ts';

/** Share of a holder: half of them, if it is alone. */
const PER_FREE = 1;
/**
 * Wait of a job beyond the share of its holder. Most jobs end within milliseconds, so it waits here
 * for a moment: no longer than it would be due again, and long before it would count as lost.
 */
const WAIT_MS = 250;
/** Waiting jobs for each job that may be in hand. */
const WAITING_EACH = 4;
/**
 * Additional jobs, for each of them, for holders that have none: jobs that only wait for a peer
 * must not hold up a newcomer.
 */
const LONE_EACH = 3;

/**
 * Jobs of agents in a worker that ask outside systems. They go on after their batch has ended, or a
 * slow peer would hold up the queue. So their number is limited here, and each holder has its
 * share.
 */
export interface NetworkJobs {
  /** Resolves when it has begun. False: the holder has its maximum, and none ended soon. */
  begin(holder: Holder, perform: () => Promise<void>): Promise<boolean>;
  /** Tracks work about them that goes on after their batch has ended. */
  follow(work: Promise<void>): void;
  /** Resolves when all have ended and none waits. */
  settled(): Promise<void>;
}

export function openGatherings(max: number, onFault: (error: unknown) => void): NetworkJobs {
  const turns = openTurns({
    max,
    perFree: PER_FREE,
    loneMax: max * LONE_EACH,
    waitingMax: max * WAITING_EACH,
    waitMs: WAIT_MS,
    refuse: () => new ShareExceeded(),
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
            if (!(error instanceof ShareExceeded)) throw error;
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

class ShareExceeded extends Error {}
