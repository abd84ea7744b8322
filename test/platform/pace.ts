/** A fixed piece of work takes this long on the two quiet cores that limits were written for. */
const WORK_MS = 60;
/** A run that competes for its core is interrupted for longer than it works. */
const SLOWNESS_MAX = 40;

/**
 * How many times slower than those cores this machine is, now and whatever else it does: at least
 * 1. The patience of tests is a multiple of it: mocha's time limits, and those that tests give.
 */
export function measureSlowness(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let n = 0; n < 6_000_000; n++) sum = (sum * 31 + n) % 1_000_003;
  if (sum < 0) throw new Error('The sum of no negative number is never negative.');
  const ms = performance.now() - startedAt;
  return Math.min(SLOWNESS_MAX, Math.max(1, ms / WORK_MS));
}

let slowness = Number(process.env.TEST_SLOWNESS ?? 1);

/** Measured again before each file, because what else the machine does changes. */
export function measureAgain(): void {
  slowness = Math.max(slowness, measureSlowness());
}

/** What a test, or a peer of it, waits at most for what it does not measure. */
export const patience = (ms: number): number => Math.ceil(ms * slowness);
