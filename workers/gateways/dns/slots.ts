/** What one of those that ask has in hand: a tree of agents, or a zone of DNS. */
export interface Share {
  /** How much it may have at a time, slow or not. */
  readonly max: number;
  readonly min: number;
  running: number;
  slow: number;
  /** Work that had no answer, less work that had one: so much less it may have, and it waits. */
  unanswered: number;
}

export const shareOf = (max: number, min: number): Share => ({
  max,
  min,
  running: 0,
  slow: 0,
  unanswered: 0,
});

/** Work that has begun. */
export interface Running {
  /** It is not answered soon: it gives its slot to others, and counts as slow until it ends. */
  readonly slowDown: () => void;
  readonly end: (isAnswered: boolean) => void;
}

/**
 * Caps concurrent work: so many begin at a time, and what turns out to be slow no longer counts,
 * because it only waits. So nobody's slow work takes a slot from others for long. What is beyond a
 * share waits, and not for ever.
 */
export interface Slots {
  /**
   * The first share is the one that waits; they take turns, those without unanswered work first.
   * Undefined: none came free in time.
   */
  acquire(shares: readonly [Share, ...Share[]]): Running | Promise<Running | undefined>;
}

interface Waiting {
  readonly shares: readonly [Share, ...Share[]];
  readonly proceed: () => void;
}

/** Of the work of one share, so much may wait for other shares before the rest is not looked at. */
const DEPTH_MAX = 32;
/** Not each unanswered look-up is an attack. */
const UNANSWERED_FREE = 3;
/**
 * Whose work is mostly answered, and has less than this in hand, waits for no slot while there are
 * no more than twice as many taken: many others came a moment before.
 */
const LONE_MAX = 2;
/** Slow work for each slot; beyond that, only who has none of it begins more. */
const SLOW_EACH = 5;

export function openSlots(slotsMax: number, waitMs: number): Slots {
  /** By share: of those whose work is mostly answered, and of the others. */
  const lines = [new Map<Share, Set<Waiting>>(), new Map<Share, Set<Waiting>>()] as const;
  let acquired = 0;
  let slowInAll = 0;

  const lineOf = ({ unanswered }: Share) => lines[unanswered <= UNANSWERED_FREE ? 0 : 1];

  const isLone = ({ running, slow, unanswered }: Share) =>
    running + slow < LONE_MAX && unanswered <= UNANSWERED_FREE;

  const isFree = (shares: readonly [Share, ...Share[]]) =>
    acquired < (isLone(shares[0]) ? 2 * slotsMax : slotsMax) &&
    (slowInAll < slotsMax * SLOW_EACH || shares[0].slow === 0) &&
    shares.every(
      ({ running, slow, max, min, unanswered }) => running + slow < Math.max(min, max - unanswered),
    );

  function begin(shares: readonly Share[]): Running {
    acquired += 1;
    for (const share of shares) share.running += 1;
    let state: 'running' | 'slow' | 'ended' = 'running';
    function leave(): void {
      if (state === 'running') acquired -= 1;
      else slowInAll -= 1;
      for (const share of shares) share[state === 'running' ? 'running' : 'slow'] -= 1;
    }
    return {
      slowDown() {
        if (state !== 'running') return;
        leave();
        state = 'slow';
        slowInAll += 1;
        for (const share of shares) share.slow += 1;
        proceed();
      },
      end(isAnswered) {
        if (state === 'ended') return;
        leave();
        state = 'ended';
        for (const share of shares) {
          const unanswered = share.unanswered + (isAnswered ? -1 : 1);
          share.unanswered = Math.min(share.max, Math.max(0, unanswered));
        }
        proceed();
      },
    };
  }

  /** One piece of work of each share, and again, while there are slots. */
  function proceed(): void {
    for (const line of lines) {
      for (const [share, queue] of line) {
        if (acquired >= slotsMax) return;
        const next = [...first(queue, DEPTH_MAX)].find(({ shares }) => isFree(shares));
        if (!next) continue;
        next.proceed();
        line.delete(share);
        if (queue.size > 0) line.set(share, queue);
      }
    }
  }

  return {
    acquire(shares) {
      if (isFree(shares)) return begin(shares);
      const line = lineOf(shares[0]);
      const queue = line.get(shares[0]) ?? new Set();
      line.set(shares[0], queue);
      return new Promise((resolve) => {
        const end = (running: Running | undefined) => {
          clearTimeout(timeUp);
          queue.delete(waiting);
          if (queue.size === 0 && line.get(shares[0]) === queue) line.delete(shares[0]);
          resolve(running);
        };
        const waiting = { shares, proceed: () => end(begin(shares)) };
        const timeUp = setTimeout(() => end(undefined), waitMs);
        queue.add(waiting);
      });
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
