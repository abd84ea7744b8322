import type { DialTimeouts } from './dial.ts';

/** How long each stage of a connection may take, in ms. */
export interface Limits extends DialTimeouts {
  /** From the first byte to the request. */
  readonly handshakeMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** Until the first byte of the target, as long as HTTP servers let their own upstreams take. */
  readonly silentMs: number;
  /** How long a client that leaves without an answer has to have waited for one, to be refunded. */
  readonly answerMs: number;
  /** Of a connection: one payment does not hold a proxy for ever. */
  readonly lifeMs: number;
  /** How long connections stay open while their keys cannot be checked. */
  readonly uncheckedMs: number;
  /** How long they stay open after the server was asked to close. */
  readonly drainMs: number;
}

export const LIMITS: Limits = {
  handshakeMs: 10_000,
  proxyMs: 5_000,
  dialMs: 15_000,
  idleMs: 5 * 60_000,
  silentMs: 60_000,
  answerMs: 5_000,
  lifeMs: 60 * 60_000,
  uncheckedMs: 30_000,
  drainMs: 7_000,
};
