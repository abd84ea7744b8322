import { decodeBase58, encodeBase58, toBeHex, getBytes } from 'ethers';

import { fromBase64, isSignedBy } from './ed25519.ts';
import type { Wallet } from './wallet.ts';

/** `signMessage` of the wallet standard, over the text as it is. */
export const solanaWallet: Wallet = {
  addressOf: (text) => (bytesOf(text, 32) ? text : undefined),
  isSigned({ address, text, signature }) {
    const key = bytesOf(address, 32);
    const bytes = bytesOf(signature, 64) ?? fromBase64(signature);
    return !!key && !!bytes && isSignedBy(key, Buffer.from(text), bytes);
  },
};

/** Decodes base 58 of exactly this length. */
function bytesOf(text: string, length: number): Buffer | undefined {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,88}$/.test(text)) return undefined;
  const number = decodeBase58(text);
  if (number >= 1n << BigInt(8 * length)) return undefined;
  const bytes = Buffer.from(getBytes(toBeHex(number, length)));
  return encodeBase58(bytes) === text ? bytes : undefined;
}
