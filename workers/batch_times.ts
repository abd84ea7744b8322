/** A time is forgotten after one to two of these periods. */
const PERIOD_MS = 2_000;

interface BatchTimes {
  /** Notes how long a batch took. `at`: ms of `performance.now()`. */
  note(ms: number, at?: number): void;
  /** Longest time of a batch in the last seconds, in ms; 0: there was none. */
  slowestMs(at?: number): number;
}

const byQueue = new Map<string, BatchTimes>();

/** Times of the batches of this queue in this process. */
export function batchTimesOf(queue: string): BatchTimes {
  const found = byQueue.get(queue) ?? openBatchTimes();
  byQueue.set(queue, found);
  return found;
}

export function openBatchTimes(): BatchTimes {
  let period = 0;
  let [longest, longestBefore] = [0, 0];

  function turnTo(at: number): void {
    const next = Math.floor(at / PERIOD_MS);
    if (next === period) return;
    longestBefore = next === period + 1 ? longest : 0;
    longest = 0;
    period = next;
  }

  return {
    note(ms, at = performance.now()) {
      turnTo(at);
      longest = Math.max(longest, ms);
    },
    slowestMs(at = performance.now()) {
      turnTo(at);
      return Math.max(longest, longestBefore);
    },
  };
}
