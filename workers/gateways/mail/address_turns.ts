import { openSlots, shareOf, type Share } from '../dns/slots.ts';
import { boundedMap } from './bounded_map.ts';

const TREES_MAX = 20_000;
/** Time after which an address waits for its name servers, and counts for its own tree alone. */
const SLOW_MS = 250;

export interface AddressTurnSettings {
  /** Addresses in hand that are not slow, over all trees; one tree has half of it, slow or not. */
  readonly max?: number;
  readonly waitMs?: number;
}

/**
 * Looks up an address when it is the turn of its tree. Undefined: the turn did not come in time, so
 * nothing was asked.
 */
type InTurn = <T>(tree: number, lookUp: () => Promise<T>) => Promise<T | undefined>;

/**
 * Takes turns to look up the addresses of batches, oldest first. A tree has as many in hand as it
 * has look-ups, so each of these gets one soon; if all waited for look-ups, most would be put off
 * in the midst of them.
 */
export function openAddressTurns({ max = 100, waitMs = 6_000 }: AddressTurnSettings = {}): InTurn {
  const slots = openSlots(max);
  const trees = boundedMap<Share>(TREES_MAX);

  function shareFor(tree: number): Share {
    let share = trees.get(String(tree));
    if (!share) trees.set(String(tree), (share = shareOf(max / 2, max / 2)));
    return share;
  }

  return async (tree, lookUp) => {
    const acquired = slots.acquire([shareFor(tree)], waitMs);
    const running = acquired instanceof Promise ? await acquired : acquired;
    if (!running) return undefined;
    const slow = setTimeout(running.slowDown, SLOW_MS);
    try {
      return await lookUp();
    } finally {
      clearTimeout(slow);
      running.end(true);
    }
  };
}
