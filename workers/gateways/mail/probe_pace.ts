import { openTurns } from '../../../shared/platform/shares/turns.ts';

/** Time after which work mostly waits for its peers, so that the next one may begin. */
const SLOW_MS = 15;

/** Begins `work` in the turn of this tree. Settles as `work` does. */
type Pace = <T>(tree: number, work: () => Promise<T>) => Promise<T>;

/**
 * Begins addresses one after the other, because where mail servers are asked the beginning is work
 * for this process: sockets, Redis. Large batches would otherwise hold up everybody else.
 */
export function openProbePace({ slowMs = SLOW_MS } = {}): Pace {
  const turns = openTurns({ max: 1, refuse: () => new Error('too many addresses') });

  return (tree, work) =>
    new Promise((resolve, reject) => {
      const begin = () => endOrTime(work().then(resolve, reject), slowMs);
      turns.run(tree, begin).catch(reject);
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
