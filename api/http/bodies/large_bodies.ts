import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { overloaded } from '../../../shared/kernel/refusal.ts';
import type { Holder } from '../../../shared/platform/shares/fair_queue.ts';
import { openTurns } from '../../../shared/platform/shares/turns.ts';

/** Reading and checking a smaller body takes less than a millisecond. */
const LARGE_BYTES = 32 * 1024;
/** Maximum bodies that wait. Each is in memory while it waits. */
const WAITING_MAX = 100;

/** One large body of a holder at a time, and a second one of another holder. */
const turns = openTurns({ max: 2, perFree: 1, waitingMax: WAITING_MAX, refuse: overloaded });

/**
 * Resolves when a body of this size may be read. The process time that it then takes is measured,
 * and the next body of the same sender waits for as long: so the large bodies of one sender take
 * half of a process at most.
 */
export async function turnToRead(holder: Holder, bytes: number): Promise<void> {
  if (bytes < LARGE_BYTES) return;
  await new Promise<void>((resolve, reject) => {
    const read = async () => {
      const from = performance.now();
      resolve();
      await nextTurn();
      await sleep(performance.now() - from);
    };
    turns.run(holder, read).catch(reject);
  });
}
