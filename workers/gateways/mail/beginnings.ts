import { openTurns } from '../../../shared/platform/shares/turns.ts';

/** So many begin at once, of whichever tree of agents, where name servers alone are asked. */
const BEGINNINGS_MAX = 16;
/** What takes longer mostly waits for its peers: the next one begins. */
const SLOW_MS = 15;
/** Who has waited so long for a turn begins without one. */
const WAIT_MS_MAX = 10_000;

/** Begins `work` when it is the turn of this tree. Ends as `work` does. */
export type Begin = <T>(tree: number, work: () => Promise<T>) => Promise<T>;

/**
 * To begin with an address is work for this process: look-ups, sockets, Redis. Those of large
 * batches would all begin in one moment, and everybody else would wait for that: they take turns.
 */
export function openBeginnings({
  max = BEGINNINGS_MAX,
  slowMs = SLOW_MS,
  waitMs = WAIT_MS_MAX,
} = {}): Begin {
  const refuse = () => new Error('too many addresses');
  const turns = openTurns({ max, refuse });

  return (tree, work) =>
    new Promise((resolve, reject) => {
      let begun: Promise<void> | undefined;
      const begin = () => (begun ??= work().then(resolve, reject));
      const late = setTimeout(() => void begin(), waitMs);
      const inTurn = async () => {
        if (begun) return;
        clearTimeout(late);
        await endOrTime(begin(), slowMs);
      };
      turns.run(tree, inTurn).catch(reject);
    });
}

/** Resolves when the work has ended, or after so many ms. */
function endOrTime(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timeUp = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timeUp);
      resolve();
    });
  });
}
