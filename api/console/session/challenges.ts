import { randomBytes } from 'node:crypto';

import type { Context } from '../../../shared/composition/context.ts';

/** The purpose of a passkey's answer, and its web session; 0: no session yet. */
export interface Purpose {
  readonly what: 'sign in' | 'connect' | 'add' | 'prove';
  readonly sessionId: number;
}

const LIFE_MS = 5 * 60_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 8;
const PURPOSE = 'console.challenge';

type ChallengeContext = Pick<Context, 'secrets' | 'clock'>;

/**
 * A challenge for a passkey: 128 random bits, its end, and a keyed hash of both and of the purpose.
 * So the server stores none for somebody who never answers.
 */
export function challengeFor(
  { secrets, clock }: ChallengeContext,
  purpose: Purpose,
): Uint8Array<ArrayBuffer> {
  const until = Buffer.alloc(TIME_BYTES);
  until.writeBigUInt64BE(BigInt(clock.now().getTime() + LIFE_MS));
  const said = Buffer.concat([randomBytes(NONCE_BYTES), until]);
  const { hash } = secrets.hash(PURPOSE, textOf(said, purpose));
  return new Uint8Array(Buffer.concat([said, hash]));
}

/** The end of this challenge of ours; undefined: it is for another purpose, or over. */
export function endOf(
  { secrets, clock }: ChallengeContext,
  text: string,
  purpose: Purpose,
): Date | undefined {
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
