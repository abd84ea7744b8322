import type { Context } from '../shared/kernel/context.ts';
import { changedKinds } from '../shared/events/changed_kinds.ts';
import { lastAuditId } from '../shared/operators/audit_log.ts';

/** What pages of operators are told: kinds of events, and these. */
export type OperatorKind = 'audit' | 'clock';

const LOOK_MS = 1_000;
/** What no event tells of, such as how long things wait, is shown again as often. */
const CLOCK_MS = 10_000;

export interface OperatorChanges {
  /** Tells `listener` at most once a second, until what this returns is called. */
  subscribe(listener: (kinds: readonly string[]) => void): () => void;
}

/**
 * What changes anywhere, for the pages of operators. While any is open, this process looks once a
 * second for all of them; while none is, it asks nothing.
 */
export function openOperatorChanges({ database, log }: Context): OperatorChanges {
  const listeners = new Set<(kinds: readonly string[]) => void>();
  let timer: NodeJS.Timeout | undefined;
  let event: number | undefined;
  let entry: number | undefined;
  let clockAt = 0;
  let isLooking = false;

  async function look(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    try {
      const { kinds, until } = await changedKinds(database, event);
      const last = await lastAuditId(database);
      const told = [...kinds, ...(entry !== undefined && last > entry ? ['audit'] : [])];
      [event, entry] = [until, last];
      if (performance.now() - clockAt >= CLOCK_MS) {
        clockAt = performance.now();
        told.push('clock');
      }
      for (const listener of listeners) listener(told);
    } catch (error) {
      log.warn({ err: error }, 'what changed cannot be looked for');
    } finally {
      isLooking = false;
    }
  }

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (!timer) {
        [event, entry, clockAt] = [undefined, undefined, performance.now()];
        timer = setInterval(() => void look(), LOOK_MS);
        void look();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}
