import { createHash } from 'node:crypto';

import { fromBase64, isSignedBy } from './ed25519.ts';
import type { Wallet } from './wallet.ts';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** `signBytes`: what is signed begins with MX, so that no signature is one of a transaction. */
export const algorandWallet: Wallet = {
  addressOf: (text) => (keyOf(text) ? text : undefined),
  isSigned({ address, text, signature }) {
    const [key, bytes] = [keyOf(address), fromBase64(signature)];
    return !!key && !!bytes && isSignedBy(key, Buffer.from(`MX${text}`), bytes);
  },
};

/** 58 digits of base 32: the public key, and the end of its hash. */
function keyOf(address: string): Buffer | undefined {
  if (!/^[A-Z2-7]{58}$/.test(address)) return undefined;
  const bits = address.replace(/./g, (digit) => DIGITS.indexOf(digit).toString(2).padStart(5, '0'));
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)));
  const key = bytes.subarray(0, 32);
  const checksum = createHash('sha512-256').update(key).digest().subarray(-4);
  // The last two bits say nothing, and so must be none.
  return bytes.subarray(32).equals(checksum) && bits.endsWith('00') ? key : undefined;
}
