import type { RelayStats } from './relay.ts';

/** What a connection that has ended says of its proxy, and whether it is paid for. */
export interface Verdict {
  /** The charge goes back. */
  readonly isRefundable: boolean;
  /** The proxy is worth a check. */
  readonly isDead: boolean;
}

/** Why the server ends a connection on which its target has sent nothing. */
export const NO_ANSWER = 'no_answer';
/** Reasons that are the server's own. */
const OUR_FAULTS: readonly string[] = ['drained', 'database_away'];

/** A client that sent more than this had its use of the connection, whatever came back. */
const UNANSWERED_BYTES_MAX = 16_384;

/**
 * The first byte of the target makes the sale. Without one:
 *
 * - The proxy ended it, or was silent for too long after the client had sent something: dead.
 * - The client left first: the proxy is dead if the client had sent something and then waited for
 *   `answerMs`. One that left sooner, or had sent nothing, pays: nothing speaks against a proxy.
 * - The server ended it: a fault of its own is not paid for, and no other end is the proxy's.
 *
 * `reason` is why the server ended it.
 */
export function verdictOf(
  { up, down, endedBy, waitedMs }: RelayStats,
  reason: unknown,
  { answerMs }: { answerMs: number },
): Verdict {
  if (down > 0) return { isRefundable: false, isDead: false };
  const isDead =
    endedBy === 'upstream' ||
    (endedBy === 'client' && up > 0 && waitedMs >= answerMs) ||
    (endedBy === 'server' && up > 0 && reason === NO_ANSWER);
  const isOurs = endedBy === 'server' && OUR_FAULTS.includes(String(reason));
  return { isDead, isRefundable: (isDead || isOurs) && up <= UNANSWERED_BYTES_MAX };
}
