import { createHash } from 'node:crypto';

import { Keypair } from '@solana/web3.js';

/** The mint of USDC on mainnet-beta, so that clients with a built-in mint find it here too. */
export const SOLANA_USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
export const USDC_DECIMALS = 6;

/**
 * Account with unlimited SOL on a sandbox, which also mints its USDC. Everybody who reaches the
 * sandbox may use it: its money is worth nothing.
 */
export const faucetOf = (genesis: string): Keypair =>
  Keypair.fromSeed(createHash('sha256').update(`faucet ${genesis}`).digest());
