import { createPublicKey, verify } from 'node:crypto';

/** Prefix of the 32 bytes of a public key (RFC 8410). */
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

export function isSignedBy(publicKey: Buffer, message: Buffer, signature: Buffer): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return signature.length === 64 && verify(null, message, key, signature);
}

/** 64 bytes in the format of wallets: base64, of either alphabet. */
export const fromBase64 = (text: string): Buffer | undefined =>
  /^[\w+/-]{86}={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
