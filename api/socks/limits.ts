import type { Patience } from './dial.ts';

/** How long each part of a visit may take. */
export interface Limits extends Patience {
  /** From the first byte to the request. */
  readonly handshakeMs: number;
  /** Without a byte in either direction. */
  readonly idleMs: number;
  /** Of a connection: one payment does not hold a proxy for ever. */
  readonly lifeMs: number;
  /** How long the database may be silent before nobody's key is believed any more. */
  readonly blindMs: number;
  /** How long it may go on after the door was told to close. */
  readonly drainMs: number;
}

export const LIMITS: Limits = {
  handshakeMs: 10_000,
  tryMs: 5_000,
  dialMs: 15_000,
  idleMs: 5 * 60_000,
  lifeMs: 60 * 60_000,
  blindMs: 30_000,
  drainMs: 7_000,
};
