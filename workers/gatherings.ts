import type { Holder } from '../shared/platform/shares/fair_queue.ts';
import { openShares } from '../shared/platform/shares/shares.ts';

/** Alone, a holder may have half of them. */
const PER_FREE = 1;

/**
 * The jobs of agents in a worker that ask outside systems. They go on after their batch has ended:
 * a batch that waited for a slow peer would hold up the queue. So their number is limited here, and
 * each holder has its share.
 */
export interface Gatherings {
  /** False: this holder has as many as it may. */
  begin(holder: Holder, perform: () => Promise<void>): boolean;
  /** Resolves when all have ended. */
  settled(): Promise<void>;
}

export function openGatherings(max: number, onFault: (error: unknown) => void): Gatherings {
  const shares = openShares(max, PER_FREE);
  const running = new Set<Promise<void>>();
  return {
    begin(holder, perform) {
      if (!shares.acquire(holder)) return false;
      const ended = perform()
        .catch(onFault)
        .finally(() => {
          shares.release(holder);
          running.delete(ended);
        });
      running.add(ended);
      return true;
    },
    async settled() {
      while (running.size > 0) await Promise.all(running);
    },
  };
}
