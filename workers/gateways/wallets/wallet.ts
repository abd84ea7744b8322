import type { SignedText } from '../../../shared/deposits/wallets/wallet_gateway.ts';

/** Of one family. */
export interface Wallet {
  readonly addressOf: (text: string) => string | undefined;
  /** False, or an error of whatever kind, where it is not. */
  readonly isSigned: (signed: SignedText) => boolean;
}
