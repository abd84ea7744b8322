import type { Holder } from '../../../../shared/platform/shares/fair_queue.ts';
import { openTurns } from '../../../../shared/platform/shares/turns.ts';

/** Share of a tree: half of the sessions, if it is alone. A new tree waits for no slow ones. */
const PER_FREE = 1;
/** Time after which a session may be ended if others wait. */
const SLOW_MS = 10_000;
const LOOK_EVERY_MS = 500;

/**
 * The SMTP sessions of a process. A slow mail server is waited for, as the standard asks, as long
 * as no other session waits. Then the oldest slow session of the tree with the most sessions ends.
 */
interface Sessions {
  /** Runs `work`, which must end when the signal is aborted. Settles as `work` does. */
  run<T>(tree: Holder, work: (ended: AbortSignal) => Promise<T>): Promise<T>;
}

interface RunningSession {
  readonly tree: Holder;
  readonly since: number;
  readonly end: AbortController;
}

export function openSessions(max: number, slowMs = SLOW_MS): Sessions {
  const refuse = () => new Error('too many sessions');
  const turns = openTurns({ max, perFree: PER_FREE, loneMax: max, refuse });
  const running = new Set<RunningSession>();
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
    // The order within a tree, oldest first, is kept.
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
