import type { Family } from '../chain/networks.ts';

const ACCOUNTS: { readonly [family in Family]: string } = {
  algorand: 'Algorand',
  evm: 'Ethereum',
  solana: 'Solana',
  tron: 'Tron',
};

interface Claim {
  readonly family: Family;
  readonly address: string;
  readonly agentId: number;
  readonly nonce: string;
  readonly issued_at: Date;
  readonly expires_at: Date;
  readonly publicUrl: string;
}

/**
 * The message a wallet signs, in the form of EIP-4361: wallets show it well, and warn if another
 * site asks for it.
 */
export const claimText = (claim: Claim): string =>
  [
    `${new URL(claim.publicUrl).host} wants you to sign in with your ` +
      `${ACCOUNTS[claim.family]} account:`,
    claim.address,
    '',
    `What this wallet pays to the marketplace is credited to agent ${claim.agentId}.`,
    '',
    `URI: ${claim.publicUrl}`,
    'Version: 1',
    'Chain ID: 1',
    `Nonce: ${claim.nonce}`,
    `Issued At: ${claim.issued_at.toISOString()}`,
    `Expiration Time: ${claim.expires_at.toISOString()}`,
  ].join('\n');
