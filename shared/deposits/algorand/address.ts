import { createHash } from 'node:crypto';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const KEY_BYTES = 32;
const CHECK_BYTES = 4;
const LENGTH = 58;
/** 58 letters have two bits more than 36 bytes. */
const SPARE_BITS = 2n;

/** Whether the text is an address, in the one spelling that it has. */
export const isAlgorandAddress = (text: string): boolean => publicKeyOf(text) !== undefined;

/** The ed25519 key that an address is of. Undefined: it is no address. */
export function publicKeyOf(address: string): Buffer | undefined {
  if (!/^[A-Z2-7]{58}$/.test(address)) return undefined;
  let bits = 0n;
  for (const letter of address) bits = bits * 32n + BigInt(LETTERS.indexOf(letter));
  const hex = (bits >> SPARE_BITS).toString(16).padStart(2 * (KEY_BYTES + CHECK_BYTES), '0');
  const key = Buffer.from(hex, 'hex').subarray(0, KEY_BYTES);
  return addressOf(key) === address ? key : undefined;
}

/** The address of an ed25519 key: the key and its checksum in base32. */
export function addressOf(publicKey: Uint8Array): string {
  const check = createHash('sha512-256').update(publicKey).digest().subarray(-CHECK_BYTES);
  const hex = Buffer.concat([publicKey, check]).toString('hex');
  let bits = BigInt(`0x${hex}`) << SPARE_BITS;
  let address = '';
  for (let n = 0; n < LENGTH; n += 1) {
    address = LETTERS[Number(bits % 32n)]! + address;
    bits /= 32n;
  }
  return address;
}
