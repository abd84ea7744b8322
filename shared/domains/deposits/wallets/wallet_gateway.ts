import type { Family } from '../chain/networks.ts';

/** A text of ours with a signature by an address. */
export interface SignedText {
  readonly address: string;
  readonly text: string;
  readonly signature: string;
}

/**
 * Networks on which a signature is valid: `all` for a key, which is valid on the whole family; else
 * the networks, by their names in deposits, whose contract at that address accepts it. Empty: none.
 */
export type SignatureNetworks = 'all' | readonly string[];

/** Checks signatures of wallets. Only for a contract wallet are networks asked. */
export interface WalletGateway {
  /** The address in standard form. Undefined: invalid or mistyped. */
  addressOf(family: Family, text: string): string | undefined;
  /** Networks on which the signature is valid. Throws if a network does not answer. */
  signedOn(family: Family, signed: SignedText): Promise<SignatureNetworks>;
}
