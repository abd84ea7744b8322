import { readFileSync } from 'node:fs';

/** The seed of a Solana key, in the format of wallets or ours. Only the signer reads the file. */
export function seedIn(file: string): Uint8Array {
  const text = readFileSync(file, 'utf8').trim();
  const seed = /^[\da-f]{64}$/.test(text) ? Buffer.from(text, 'hex') : seedOfList(text);
  if (seed) return seed;
  // The content of the file is not repeated.
  throw new Error('the file that SOLANA_KEY_FILE names holds no key: 64 numbers, or a seed in hex');
}

/** The format of solana-keygen: the bytes of the seed, then those of the public key. */
function seedOfList(text: string): Uint8Array | undefined {
  if (!/^\[\s*\d{1,3}(\s*,\s*\d{1,3}){63}\s*\]$/.test(text)) return undefined;
  const bytes = JSON.parse(text) as number[];
  return bytes.every((byte) => byte < 256) ? Uint8Array.from(bytes.slice(0, 32)) : undefined;
}
