import type { Holder } from './fair_queue.ts';

/**
 * Slows down guessing: after a number of failures each further one makes its holder wait, twice as
 * long each time. During the wait the holder is refused without a check, right or wrong; others are
 * not affected. Each process counts separately, and forgets after an hour without failures.
 */
export interface Backoff {
  /** Number of failures without consequence. null: any number. */
  readonly free: number | null;
  /** Time in ms that this holder has to wait; 0: none. */
  leftMs(holder: Holder): number;
  /** Counts a failure. */
  fail(holder: Holder): void;
}

const FIRST_MS = 1_000;
const LONGEST_MS = 900_000;
export const FORGET_MS = 3_600_000;
const HOLDERS_MAX = 10_000;

interface Failures {
  readonly count: number;
  readonly at: number;
  readonly until: number;
}

export function openBackoff(
  free: number | null,
  { elapsedMs = () => performance.now(), holdersMax = HOLDERS_MAX } = {},
): Backoff {
  /** Failures by holder, the latest last. */
  const known = new Map<Holder, Failures>();

  function failuresOf(holder: Holder): Failures | undefined {
    const failures = known.get(holder);
    if (failures && elapsedMs() < failures.at + FORGET_MS) return failures;
    known.delete(holder);
    return undefined;
  }

  return {
    free,
    leftMs: (holder) => Math.max(0, (failuresOf(holder)?.until ?? 0) - elapsedMs()),
    fail(holder) {
      if (free === null) return;
      const at = elapsedMs();
      const count = (failuresOf(holder)?.count ?? 0) + 1;
      const waitMs = count < free ? 0 : Math.min(LONGEST_MS, FIRST_MS * 2 ** (count - free));
      known.delete(holder);
      if (known.size >= holdersMax) known.delete(known.keys().next().value!);
      known.set(holder, { count, at, until: at + waitMs });
    },
  };
}
