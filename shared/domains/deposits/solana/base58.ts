import { base58 } from '@scure/base';

/** Base 58 with Bitcoin's alphabet, used by Solana for addresses and signatures. */
export const toBase58 = (bytes: Uint8Array): string => base58.encode(bytes);

/** Decodes base 58; undefined: invalid, or another number of bytes. */
export function fromBase58(text: string, length: number): Buffer | undefined {
  // Longer texts hold more bytes, and decoding takes time by the square of the length.
  if (text.length > 2 * length) return undefined;
  try {
    const bytes = base58.decode(text);
    return bytes.length === length ? Buffer.from(bytes) : undefined;
  } catch {
    return undefined;
  }
}
