import type { RelayStats } from './relay.ts';

/** A finding about an ended connection: whether it is paid for, and about its proxy. */
interface Verdict {
  /** The charge is refunded. */
  readonly isRefundable: boolean;
  /** The proxy should be checked. */
  readonly isDead: boolean;
}

/** Reason for which the server ends a connection on which the target has sent nothing. */
export const NO_ANSWER = 'no_answer';
/** Reasons for which the server is responsible. */
const OUR_FAULTS: readonly string[] = ['drained', 'database_away'];

/** A client that sent more than this has used the connection, whatever came back. */
const UNANSWERED_BYTES_MAX = 16_384;

/**
 * The first byte of the target makes the sale. Without one:
 *
 * - The proxy ended it, or was silent for too long after the client had sent something: dead.
 * - The client left first: the proxy is dead if the client had sent something and then waited for
 *   `answerMs`. A client that left sooner, or sent nothing, pays: nothing speaks against the proxy.
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
