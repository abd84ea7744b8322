import type { Holder } from './fair_queue.ts';

/**
 * Shares of something of which a process has only so many. A holder may have at most `perFree` for
 * each that is free. So a holder that is alone may have almost all, the more there are the smaller
 * is what each may have, and whoever comes finds one free (dynamic limits, as Choudhury and Hahne
 * share a buffer).
 */
export interface Shares {
  /** Whether some holder may have no more now. */
  isScarce(): boolean;
  /** Whether this holder may have one more now. */
  isFree(holder: Holder): boolean;
  /** False: it may not. */
  acquire(holder: Holder): boolean;
  /** One more for this holder, whatever its share: another has given it up for it. */
  hold(holder: Holder): void;
  release(holder: Holder): void;
}

/**
 * Without `perFree` a holder may have all. Where many come at once, they have them all before they
 * have given any back: `loneMax` more there are for holders that have none.
 */
export function openShares(max: number, perFree = Infinity, loneMax = 0): Shares {
  const held = new Map<Holder, number>();
  const heldBy = (holder: Holder) => held.get(holder) ?? 0;
  let free = max;
  const isFree = (holder: Holder) =>
    free > 0 ? heldBy(holder) < perFree * free : free > -loneMax && heldBy(holder) === 0;
  function hold(holder: Holder): void {
    free -= 1;
    held.set(holder, heldBy(holder) + 1);
  }
  return {
    isScarce: () => free <= 0 || max - free >= perFree * free,
    isFree,
    hold,
    acquire(holder) {
      if (!isFree(holder)) return false;
      hold(holder);
      return true;
    },
    release(holder) {
      free += 1;
      const left = heldBy(holder) - 1;
      if (left > 0) held.set(holder, left);
      else held.delete(holder);
    },
  };
}
