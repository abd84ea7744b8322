import type { DialTimeouts } from './dial.ts';

/** How long each stage of a connection may take, in ms, and how many may be in the first. */
export interface Limits extends DialTimeouts {
  /** Clients that have no place among the open connections yet. */
  readonly unauthenticatedMax: number;
  /** How long one of them may be silent where others of its address want its place. */
  readonly greetMs: number;
  /** Refusals of one address or one tree that are answered in a second. Others wait. */
  readonly refusalsPerSecond: number;
  /** How long one of these waits at most: shorter than a handshake. */
  readonly refusalMs: number;
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
  /** In so long a connection moves some bytes, or makes way for others. */
  readonly stillMs: number;
  /** How long connections stay open while their keys cannot be checked. */
  readonly uncheckedMs: number;
  /** How long they stay open after the server was asked to close. */
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
