import { PublicKey } from '@solana/web3.js';

/** Accounts of the token programs, and the accounts of an instruction. */

export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
export const TOKEN_2022_PROGRAM = new PublicKey('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb');
export const ACCOUNT_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL');

export interface Holding {
  readonly owner: PublicKey;
  readonly mint: PublicKey;
  /** Program of the mint. Absent: the first token program, to which USDC belongs. */
  readonly program?: PublicKey;
}

/** The account that holds an owner's tokens of a mint: the associated token account. */
export function tokenAccountOf({ owner, mint, program = TOKEN_PROGRAM }: Holding): PublicKey {
  const seeds = [owner.toBytes(), program.toBytes(), mint.toBytes()];
  return PublicKey.findProgramAddressSync(seeds, ACCOUNT_PROGRAM)[0];
}

export const read = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: false });
export const written = (pubkey: PublicKey) => ({ pubkey, isSigner: false, isWritable: true });
export const signed = (pubkey: PublicKey) => ({ pubkey, isSigner: true, isWritable: false });
