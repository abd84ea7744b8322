import { PublicKey, Transaction, type TransactionInstruction } from '@solana/web3.js';

import { createTokenAccount, mintTo } from './instructions.ts';
import { tokenAccountOf } from '../../workers/gateways/solana/token_instructions.ts';
import type { SolanaChain } from './chain.ts';
import { SOLANA_USDC } from './usdc.ts';

/** Runs instructions that the faucet pays for and signs. Returns the signature. */
export function pay(chain: SolanaChain, instructions: readonly TransactionInstruction[]): string {
  const transaction = new Transaction({
    feePayer: chain.faucet.publicKey,
    ...chain.slots.latest(),
  }).add(...instructions);
  transaction.sign(chain.faucet);
  return chain.send(transaction.serialize());
}

/** Mints USDC, in millionths of a dollar. */
export function mintUsdc(chain: SolanaChain, to: PublicKey, amount: bigint): string {
  const mint = new PublicKey(SOLANA_USDC);
  const { publicKey: payer } = chain.faucet;
  const account = tokenAccountOf({ owner: to, mint });
  return pay(chain, [
    createTokenAccount({ payer, owner: to, mint }),
    mintTo({ mint, account, authority: payer, amount }),
  ]);
}
