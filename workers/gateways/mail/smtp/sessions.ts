import type { Holder } from '../../../../shared/platform/shares/fair_queue.ts';
import { openTurns } from '../../../../shared/platform/shares/turns.ts';

/** Alone, a tree of agents may have half of them. One that has none does not wait for slow ones. */
const PER_FREE = 1;
/** A session that has lasted so long is ended where others wait. */
const SLOW_MS = 10_000;
const LOOK_EVERY_MS = 500;

/**
 * The sessions of a process. A slow mail server is waited for, as the standard asks for, as long as
 * no other session waits: then the oldest slow one ends of the tree that has most.
 */
export interface Sessions {
  /** `work` has to end when the signal is aborted. Rejects with what it rejects with. */
  run<T>(tree: Holder, work: (ended: AbortSignal) => Promise<T>): Promise<T>;
}

interface Running {
  readonly tree: Holder;
  readonly since: number;
  readonly end: AbortController;
}

export function openSessions(max: number, slowMs = SLOW_MS): Sessions {
  const refuse = () => new Error('too many sessions');
  const turns = openTurns({ max, perFree: PER_FREE, loneMax: max, refuse });
  const running = new Set<Running>();
  let timer: NodeJS.Timeout | undefined;

  function endSlow(): void {
    if (turns.waiting() === 0) {
      clearInterval(timer);
      timer = undefined;
      return;
    }
    const counts = new Map<Holder, number>();
    for (const { tree } of running) counts.set(tree, (counts.get(tree) ?? 0) + 1);
    const before = performance.now() - slowMs;
    const slow = [...running].filter(({ since }) => since < before);
    // The oldest first, which is their order, of each tree.
    slow.sort((a, b) => counts.get(b.tree)! - counts.get(a.tree)!);
    for (const { end } of slow.slice(0, turns.waiting())) end.abort(new Error('too many sessions'));
  }

  return {
    async run(tree, work) {
      timer ??= setInterval(endSlow, LOOK_EVERY_MS).unref();
      return turns.run(tree, async () => {
        const session = { tree, since: performance.now(), end: new AbortController() };
        running.add(session);
        try {
          return await work(session.end.signal);
        } finally {
          running.delete(session);
        }
      });
    },
  };
}
