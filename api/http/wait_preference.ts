import type { ServerResponse } from 'node:http';

import { WAIT_SECONDS_MAX } from '../../shared/jobs/settings.ts';
import type { Disconnect } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { invalid } from '../../shared/kernel/schema.ts';

/** The time that a caller is willing to wait for a job. */
export interface WaitPreference {
  readonly waitMs: number;
  /** The value of `Prefer` that was followed. */
  readonly applied?: string;
}

/** Whether a caller may wait for this operation's answer. */
export const canWait = (op: AnyOperation) => op.mode === 'job' || op.wait !== undefined;

/**
 * The caller's preference: `wait` (seconds) or the header `Prefer` (RFC 7240). Without one, a job
 * is waited for `waitMs`, and a read not at all. A wrong `wait` is refused, because it is a field.
 * A header is a wish: it is capped at our maximum, and ignored if it makes no sense.
 */
export function waitPreferenceOf(
  op: AnyOperation,
  wait: unknown,
  prefer: string | string[] | undefined,
  waitMs: number,
): WaitPreference {
  if (wait !== undefined) return { waitMs: secondsOf(wait) * 1_000 };
  const preferences = String(prefer ?? '').toLowerCase();
  const [, seconds] = /(?:^|,)\s*wait\s*=\s*"?(\d+)"?\s*(?:$|[,;])/.exec(preferences) ?? [];
  if (seconds !== undefined) {
    const chosen = Math.min(Number(seconds), WAIT_SECONDS_MAX);
    return { waitMs: chosen * 1_000, applied: `wait=${chosen}` };
  }
  if (/(^|,)\s*respond-async\s*($|[,;])/.test(preferences)) {
    return { waitMs: 0, applied: 'respond-async' };
  }
  return { waitMs: op.mode === 'job' ? waitMs : 0 };
}

function secondsOf(wait: unknown): number {
  const seconds = typeof wait === 'string' && /^\d{1,3}$/.test(wait) ? Number(wait) : wait;
  if (Number.isInteger(seconds) && 0 <= Number(seconds) && Number(seconds) <= WAIT_SECONDS_MAX) {
    return Number(seconds);
  }
  const message = `must be a whole number of seconds from 0 to ${WAIT_SECONDS_MAX}`;
  throw invalid([{ pointer: '/wait', message }]);
}

/**
 * Ends when the connection closes before the answer is sent: the caller waits no more. Not an
 * AbortSignal, which costs as much as reading the body.
 */
export const disconnectOf = (res: ServerResponse): Disconnect => ({
  aborted: res.destroyed,
  addEventListener: (_abort, listener) => void res.once('close', listener),
  removeEventListener: (_abort, listener) => void res.off('close', listener),
});
