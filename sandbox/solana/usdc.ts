import { createHash } from 'node:crypto';

import { Keypair } from '@solana/web3.js';

/** The mint of USDC on mainnet-beta, so that clients which know it find it here too. */
export const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const USDC_DECIMALS = 6;

/**
 * Who has SOL without end on a sandbox, and makes its USDC. Whoever reaches the sandbox may act as
 * this account: its money is worth nothing.
 */
export const faucetOf = (genesis: string): Keypair =>
  Keypair.fromSeed(createHash('sha256').update(`faucet ${genesis}`).digest());
