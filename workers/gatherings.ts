import { openShares } from '../shared/platform/shares/shares.ts';

/** Alone, a tree of agents may have half of them. */
const PER_FREE = 1;

/**
 * The jobs of agents in a worker that ask outside systems. They go on after their batch has ended:
 * a batch that waited for a slow peer would hold up the queue. So their number is limited here, and
 * each tree of agents has its share.
 */
export interface Gatherings {
  /** False: this tree has as many as it may. */
  begin(tree: number, perform: () => Promise<void>): boolean;
  /** Resolves when all have ended. */
  settled(): Promise<void>;
}

export function openGatherings(max: number, onFault: (error: unknown) => void): Gatherings {
  const shares = openShares(max, PER_FREE);
  const running = new Set<Promise<void>>();
  return {
    begin(tree, perform) {
      if (!shares.acquire(tree)) return false;
      const ended = perform()
        .catch(onFault)
        .finally(() => {
          shares.release(tree);
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
