/**
 * The time in ms that this process has been awake, for something that looks every `everyMs`: the
 * time between two looks counts as twice that at most. A process that computes, or that is stopped
 * for a while, reads no answers, and what came meanwhile is read only after its next look: that
 * nobody was heard is then its own fault.
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
