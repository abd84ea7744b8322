/** How many slots one of those that ask may have: a tree of agents, or a zone of DNS. */
export interface Share {
  readonly max: number;
  readonly min: number;
  inFlight: number;
  /** Work that had no answer, less work that had one: so many slots fewer it may have. */
  unanswered: number;
}

export const shareOf = (max: number, min: number): Share => ({
  max,
  min,
  inFlight: 0,
  unanswered: 0,
});

/**
 * Caps concurrent work, in all and for each share: beyond that, work waits for a slot, and not for
 * ever. The shares take turns, so one with much work makes no other wait.
 */
export interface Slots {
  /** The first share is the one that waits. Undefined: at once. False: none came free in time. */
  acquire(shares: readonly [Share, ...Share[]]): Promise<boolean> | undefined;
  release(shares: readonly Share[], isAnswered: boolean): void;
}

interface Waiting {
  readonly shares: readonly Share[];
  readonly proceed: () => void;
}

/** Of the work of one share, so much may wait for other shares before the rest is not looked at. */
const DEPTH_MAX = 32;

export function openSlots(slotsMax: number, waitMs: number): Slots {
  const queues = new Map<Share, Set<Waiting>>();
  let acquired = 0;

  const isFree = (shares: readonly Share[]) =>
    acquired < slotsMax &&
    shares.every(
      ({ inFlight, max, min, unanswered }) => inFlight < Math.max(min, max - unanswered),
    );

  function begin(shares: readonly Share[]): void {
    acquired += 1;
    for (const share of shares) share.inFlight += 1;
  }

  /** One piece of work of each share, and again, while there are slots. */
  function proceed(): void {
    for (const [share, queue] of queues) {
      const next = [...first(queue, DEPTH_MAX)].find(({ shares }) => isFree(shares));
      if (!next) continue;
      begin(next.shares);
      next.proceed();
      queues.delete(share);
      if (queue.size > 0) queues.set(share, queue);
    }
  }

  return {
    acquire(shares) {
      if (isFree(shares)) {
        begin(shares);
        return undefined;
      }
      const queue = queues.get(shares[0]) ?? new Set();
      queues.set(shares[0], queue);
      return new Promise((resolve) => {
        const end = (isAcquired: boolean) => {
          clearTimeout(timeUp);
          queue.delete(waiting);
          if (queue.size === 0 && queues.get(shares[0]) === queue) queues.delete(shares[0]);
          resolve(isAcquired);
        };
        const waiting = { shares, proceed: () => end(true) };
        const timeUp = setTimeout(() => end(false), waitMs);
        queue.add(waiting);
      });
    },
    release(shares, isAnswered) {
      acquired -= 1;
      for (const share of shares) {
        share.inFlight -= 1;
        const unanswered = share.unanswered + (isAnswered ? -1 : 1);
        share.unanswered = Math.min(share.max, Math.max(0, unanswered));
      }
      proceed();
    },
  };
}

function* first<T>(items: Iterable<T>, max: number): Iterable<T> {
  let left = max;
  for (const item of items) {
    if (left-- === 0) return;
    yield item;
  }
}
