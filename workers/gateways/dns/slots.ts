/** The work of one asker: a tree of agents, or a zone of DNS. */
export interface Share {
  /** Maximum work at a time, slow or not. */
  readonly max: number;
  readonly min: number;
  running: number;
  slow: number;
  /** Unanswered work, less answered work: it reduces the maximum, and puts the share behind. */
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
interface RunningWork {
  /** Frees its slot for others, because it is not answered soon; it counts as slow to its end. */
  readonly slowDown: () => void;
  readonly end: (isAnswered: boolean) => void;
}

/**
 * Limits concurrent work. Slow work no longer counts for the limit, because it only waits; so
 * nobody's slow work takes slots from others for long. Work beyond a share waits, up to a limit.
 */
interface Slots {
  /**
   * The first share waits in the queue; shares take turns, those without unanswered work first.
   * Undefined: no slot came free in time.
   */
  acquire(
    shares: readonly [Share, ...Share[]],
    waitMs: number,
  ): RunningWork | Promise<RunningWork | undefined>;
}

interface WaitingWork {
  readonly shares: readonly [Share, ...Share[]];
  readonly proceed: () => void;
}

/** Waiting work of a share that is looked at: another of its shares may be used up. */
const DEPTH_MAX = 32;
/** Unanswered work that is allowed for: not every unanswered look-up is an attack. */
const UNANSWERED_FREE = 3;
/**
 * A share whose work is mostly answered, with less than this in hand, needs no free slot while at
 * most twice as many are taken: many others came just before.
 */
const LONE_MAX = 2;
/** Slow work for each slot; beyond that, only shares without slow work begin more. */
const SLOW_EACH = 5;

export function openSlots(slotsMax: number): Slots {
  /** Waiting work by share. The share that has not begun for the longest time is first. */
  const queues = new Map<Share, Set<WaitingWork>>();
  let acquired = 0;
  let slowInAll = 0;

  const isAnswered = ({ unanswered }: Share) => unanswered <= UNANSWERED_FREE;

  const isLone = (share: Share) => share.running + share.slow < LONE_MAX && isAnswered(share);

  const isFree = (shares: readonly [Share, ...Share[]]) =>
    acquired < (isLone(shares[0]) ? 2 * slotsMax : slotsMax) &&
    (slowInAll < slotsMax * SLOW_EACH || shares[0].slow === 0) &&
    shares.every(
      ({ running, slow, max, min, unanswered }) => running + slow < Math.max(min, max - unanswered),
    );

  function begin(shares: readonly Share[]): RunningWork {
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

  /** Begins work of each share in turn, as long as there are slots: mostly answered ones first. */
  function proceed(): void {
    for (const isFirst of [true, false]) {
      for (const [share, queue] of queues) {
        if (acquired >= slotsMax) return;
        if (isAnswered(share) !== isFirst) continue;
        const next = [...first(queue, DEPTH_MAX)].find(({ shares }) => isFree(shares));
        if (!next) continue;
        next.proceed();
        queues.delete(share);
        if (queue.size > 0) queues.set(share, queue);
      }
    }
  }

  return {
    acquire(shares, waitMs) {
      if (isFree(shares)) return begin(shares);
      const queue = queues.get(shares[0]) ?? new Set();
      queues.set(shares[0], queue);
      return new Promise((resolve) => {
        const end = (running: RunningWork | undefined) => {
          clearTimeout(timeUp);
          queue.delete(waiting);
          if (queue.size === 0 && queues.get(shares[0]) === queue) queues.delete(shares[0]);
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
