import type { DialTimeouts } from './dial.ts';

/** Time limits of each stage of a connection, in ms, and the maximum of clients in the first. */
export interface Limits extends DialTimeouts {
  /** Maximum clients that are not open connections yet. */
  readonly unauthenticatedMax: number;
  /** Time after which a silent client may be replaced by another one of its address. */
  readonly greetMs: number;
  /** Refusals of an address or a tree that are answered in a second. Others wait. */
  readonly refusalsPerSecond: number;
  /** Maximum wait of such a refusal: shorter than a handshake. */
  readonly refusalMs: number;
  /** Time from the first byte to the request. */
  readonly handshakeMs: number;
  /** Time without a byte in either direction. */
  readonly idleMs: number;
  /** Time until the target's first byte, as long as HTTP servers give their own upstreams. */
  readonly silentMs: number;
  /** Wait after which a client that leaves without an answer is refunded. */
  readonly answerMs: number;
  /** Lifetime of a connection: one payment does not hold a proxy for ever. */
  readonly lifeMs: number;
  /** Period in which a connection must move some bytes, or may be replaced. */
  readonly stillMs: number;
  /** Time that connections stay open while their keys cannot be checked. */
  readonly uncheckedMs: number;
  /** Time that connections stay open after the server was asked to close. */
  readonly drainMs: number;
}

export const LIMITS: Limits = {
  unauthenticatedMax: 2_048,
  greetMs: 1_000,
  refusalsPerSecond: 5,
  refusalMs: 8_000,
  handshakeMs: 10_000,
  proxyMs: 5_000,
  dialMs: 15_000,
  idleMs: 5 * 60_000,
  silentMs: 60_000,
  answerMs: 5_000,
  lifeMs: 60 * 60_000,
  stillMs: 60_000,
  uncheckedMs: 30_000,
  drainMs: 7_000,
};
