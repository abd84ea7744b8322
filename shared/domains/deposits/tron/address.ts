import { createHash } from 'node:crypto';

/** Digits of base 58: no 0, O, I or l. */
const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
/** Prefix of the 20 bytes that the address would have on Ethereum. */
const MAINNET = '41';

/** The hex form of a Tron address, used by its virtual machine. Undefined: no address. */
export function hexOfTron(text: string): string | undefined {
  if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined;
  const number = text
    .split('')
    .reduce((sum, digit) => sum * 58n + BigInt(DIGITS.indexOf(digit)), 0n);
  const bytes = number.toString(16).padStart(50, '0');
  const body = bytes.slice(0, 42);
  const isOne = bytes.length === 50 && body.startsWith(MAINNET) && bytes === withChecksum(body);
  return isOne ? `0x${body.slice(2)}` : undefined;
}

/** The text form of a Tron address: T and 33 characters. */
export function tronOfHex(address: string): string {
  let number = BigInt(`0x${withChecksum(MAINNET + address.slice(2))}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = DIGITS[Number(number % 58n)]! + text;
  return text;
}

function withChecksum(body: string): string {
  const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
  return body.toLowerCase() + sha256(sha256(Buffer.from(body, 'hex'))).toString('hex', 0, 4);
}
