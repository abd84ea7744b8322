import { randomBytes } from 'node:crypto';

import type { Context } from '../../shared/kernel/context.ts';

/** What a passkey is to prove, and to which web session; 0: to none yet. */
export interface Purpose {
  readonly what: 'sign in' | 'connect' | 'add' | 'prove';
  readonly sessionId: number;
}

const LIFE_MS = 5 * 60_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 8;
const PURPOSE = 'console.challenge';

type Parts = Pick<Context, 'secrets' | 'clock'>;

/**
 * A challenge for a passkey: 128 random bits, until when it may be answered, and a keyed hash of
 * both and of what for. So none has to be kept for somebody who never answers.
 */
export function challengeFor({ secrets, clock }: Parts, purpose: Purpose): Uint8Array<ArrayBuffer> {
  const until = Buffer.alloc(TIME_BYTES);
  until.writeBigUInt64BE(BigInt(clock.now().getTime() + LIFE_MS));
  const said = Buffer.concat([randomBytes(NONCE_BYTES), until]);
  const { hash } = secrets.hash(PURPOSE, textOf(said, purpose));
  return new Uint8Array(Buffer.concat([said, hash]));
}

/** Until when this challenge of ours may be answered; undefined: it is none for that, or over. */
export function endOf({ secrets, clock }: Parts, text: string, purpose: Purpose): Date | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const said = bytes.subarray(0, NONCE_BYTES + TIME_BYTES);
  if (said.length < NONCE_BYTES + TIME_BYTES) return undefined;
  const hash = bytes.subarray(said.length);
  if (!secrets.isHashOf(hash, PURPOSE, textOf(said, purpose))) return undefined;
  const endsAt = new Date(Number(said.readBigUInt64BE(NONCE_BYTES)));
  return endsAt > clock.now() ? endsAt : undefined;
}

const textOf = (said: Buffer, { what, sessionId }: Purpose) =>
  `${what}|${sessionId}|${said.toString('base64url')}`;
