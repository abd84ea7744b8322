import type { Family } from '../chain/networks.ts';

/** What an address has signed: our text, in the way of its networks. */
export interface SignedText {
  readonly address: string;
  readonly text: string;
  readonly signature: string;
}

/** The cryptography of wallets. Nobody is asked outside. */
export interface WalletGateway {
  /** The address as its networks show it. Undefined: it is none, or mistyped. */
  addressOf(family: Family, text: string): string | undefined;
  isSigned(family: Family, signed: SignedText): boolean;
}
