import type { SignedText } from '../../../shared/domains/deposits/wallets/wallet_gateway.ts';

/** Wallets of one family. */
export interface Wallet {
  readonly addressOf: (text: string) => string | undefined;
  /** False, or any error, if the signature is not the wallet's. */
  readonly isSigned: (signed: SignedText) => boolean;
}
