import { createHash } from 'node:crypto';

import { base32nopad } from '@scure/base';

const KEY_BYTES = 32;
const CHECK_BYTES = 4;

/** Whether the text is an address in its canonical form. */
export const isAlgorandAddress = (text: string): boolean => publicKeyOf(text) !== undefined;

/** The ed25519 key of an address. Undefined: it is no address. */
export function publicKeyOf(address: string): Buffer | undefined {
  if (!/^[A-Z2-7]{58}$/.test(address)) return undefined;
  try {
    const key = Buffer.from(base32nopad.decode(address)).subarray(0, KEY_BYTES);
    return addressOf(key) === address ? key : undefined;
  } catch {
    return undefined; // Its unused bits are set.
  }
}

/** The address of an ed25519 key: the key and its checksum in base32. */
export function addressOf(publicKey: Uint8Array): string {
  const check = createHash('sha512-256').update(publicKey).digest().subarray(-CHECK_BYTES);
  return base32nopad.encode(Buffer.concat([publicKey, check]));
}
