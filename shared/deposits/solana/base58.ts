const DIGITS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** As Bitcoin writes bytes, and Solana its addresses and signatures. */
export function toBase58(bytes: Uint8Array): string {
  let number = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; number > 0n; number /= 58n) text = DIGITS[Number(number % 58n)] + text;
  // A zero byte at the front would be lost in the number.
  return '1'.repeat(leading(bytes, 0)) + text;
}

/** Undefined: it is no base 58, or stands for another number of bytes. */
export function fromBase58(text: string, length: number): Buffer | undefined {
  if (text.length > 2 * length) return undefined;
  let number = 0n;
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return undefined;
    number = number * 58n + BigInt(value);
  }
  const hex = number === 0n ? '' : number.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  const zeros = leading(text, '1');
  return zeros + bytes.length === length ? Buffer.concat([Buffer.alloc(zeros), bytes]) : undefined;
}

function leading<T>(items: ArrayLike<T>, item: T): number {
  let count = 0;
  while (count < items.length && items[count] === item) count += 1;
  return count;
}
