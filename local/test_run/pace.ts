/** The fixed piece of work takes this long on the two quiet cores that limits were written for. */
const WORK_MS = 6;
/** A process that shares its core with others waits for longer than it works. */
const SLOWNESS_MAX = 40;

/**
 * How many times slower than those cores this machine is at this moment, with whatever else it
 * does: at least 1.
 */
export function measureSlowness(): number {
  const startedAt = performance.now();
  let sum = 0;
  for (let n = 0; n < 1_000_000; n++) sum = (sum * 31 + n) % 1_000_003;
  if (sum < 0) throw new Error('A sum of numbers that are not negative is negative.');
  const slowness = (performance.now() - startedAt) / WORK_MS;
  return Math.min(SLOWNESS_MAX, Math.max(1, slowness));
}
