import type { Holder } from './fair_queue.ts';

/**
 * Shares of a limited resource of a process. A holder may have at most `perFree` units for each
 * free unit. So a single holder may have almost all, shares shrink with the number of holders, and
 * a new holder finds a free unit (dynamic limits of Choudhury and Hahne for shared buffers).
 */
interface Shares {
  /** Whether some holder could be refused a unit now. */
  isScarce(): boolean;
  /** Whether this holder may have one more unit now. */
  isFree(holder: Holder): boolean;
  /** Takes a unit. False: the holder may not have one. */
  acquire(holder: Holder): boolean;
  /** Takes a unit regardless of the share: another holder has given it up for this one. */
  hold(holder: Holder): void;
  release(holder: Holder): void;
}

/**
 * Opens shares of `max` units. Without `perFree` a holder may have all. Many holders that come at
 * once may take all units before they return any: `loneMax` further units are for holders without
 * one.
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
