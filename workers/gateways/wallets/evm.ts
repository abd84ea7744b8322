import { getAddress, isAddress, verifyMessage } from 'ethers';

import type { Wallet } from './wallet.ts';

/** personal_sign (EIP-191), for an account with a key. */
export const evmWallet: Wallet = {
  // In lower case an address has no checksum.
  addressOf: (text) =>
    /^0x[\dA-Fa-f]{40}$/.test(text) && isAddress(text) ? getAddress(text) : undefined,
  isSigned: ({ address, text, signature }) => verifyMessage(text, signature) === address,
};
