/**
 * The time in ms that this process has been awake, for a check every `everyMs`: the time between
 * two checks counts at most twice that. A process that computes or is suspended reads no answers,
 * and reads those that came meanwhile only after its next check. Their absence is then its own
 * fault.
 */
export function wakingTime(everyMs: number): () => number {
  let awake = 0;
  let lookedAt = performance.now();
  return () => {
    const now = performance.now();
    awake += Math.min(now - lookedAt, 2 * everyMs);
    lookedAt = now;
    return awake;
  };
}
