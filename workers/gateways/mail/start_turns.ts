import { openTurns } from '../../../shared/platform/shares/turns.ts';

/** Maximum validations that begin at once, over all trees, if only name servers are asked. */
const BEGINNINGS_MAX = 16;
/** Time after which work mostly waits for its peers, so that the next one may begin. */
const SLOW_MS = 15;
/** Maximum wait for a turn; after it, the work begins without one. */
const WAIT_MS_MAX = 10_000;

/** Begins `work` in the turn of this tree. Settles as `work` does. */
type StartTurn = <T>(tree: number, work: () => Promise<T>) => Promise<T>;

/**
 * Takes turns to begin addresses, because the beginning is work for this process: look-ups,
 * sockets, Redis. Large batches would otherwise begin in one moment and hold up everybody else.
 */
export function openBeginnings({
  max = BEGINNINGS_MAX,
  slowMs = SLOW_MS,
  waitMs = WAIT_MS_MAX,
} = {}): StartTurn {
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

/** Resolves when the work has ended, or after this time. */
function endOrTime(work: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timeUp = setTimeout(resolve, ms);
    void work.then(() => {
      clearTimeout(timeUp);
      resolve();
    });
  });
}
