import {
  isAlgorandAddress,
  publicKeyOf,
} from '../../../shared/domains/deposits/algorand/address.ts';
import { fromBase64, isSignedBy } from './ed25519.ts';
import type { Wallet } from './wallet.ts';

/** `signBytes`: signed bytes begin with MX, so a signature never signs a transaction. */
export const algorandWallet: Wallet = {
  addressOf: (text) => (isAlgorandAddress(text) ? text : undefined),
  isSigned({ address, text, signature }) {
    const [key, bytes] = [publicKeyOf(address), fromBase64(signature)];
    return !!key && !!bytes && isSignedBy(key, Buffer.from(`MX${text}`), bytes);
  },
};
