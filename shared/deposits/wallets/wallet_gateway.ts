import type { Family } from '../chain/networks.ts';

/** What an address has signed: our text, in the way of its networks. */
export interface SignedText {
  readonly address: string;
  readonly text: string;
  readonly signature: string;
}

/**
 * Where a text was signed: `all`, where a key of the whole family has signed it; else the networks,
 * as deposits name them, whose contract at that address says so. Empty: nowhere.
 */
export type SignedOn = 'all' | readonly string[];

/** The cryptography of wallets. Only of a wallet that is a contract its networks are asked. */
export interface WalletGateway {
  /** The address as its networks show it. Undefined: it is none, or mistyped. */
  addressOf(family: Family, text: string): string | undefined;
  /** Throws where a network that has to be asked does not answer. */
  signedOn(family: Family, signed: SignedText): Promise<SignedOn>;
}
