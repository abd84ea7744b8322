import { randomBytes } from 'node:crypto';

import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
} from '@solana/web3.js';

import { mintUsdc } from '../../../sandbox/solana/faucet.ts';
import { startSolanaNode, type SolanaNode } from '../../../sandbox/solana/node.ts';
import { SOLANA_USDC, USDC_DECIMALS } from '../../../sandbox/solana/usdc.ts';
import { toBase58 } from '../../../shared/domains/deposits/solana/base58.ts';
import { createTokenAccount, transferTokens } from '../../../sandbox/solana/instructions.ts';
import { tokenAccountOf } from '../../../workers/gateways/solana/token_instructions.ts';
import { eventually } from '../../harness.ts';

export const USDC = new PublicKey(SOLANA_USDC);
export const SOL = 1_000_000_000n;

/** A network of its own, with a payer who has SOL and USDC. */
export interface SolanaRig {
  readonly node: SolanaNode;
  /** web3.js, told only where the node is. */
  readonly connection: Connection;
  readonly payer: Keypair;
  /** Runs instructions of the payer, and of other signers; answers the signature. */
  pay(instructions: readonly TransactionInstruction[], ...signers: Keypair[]): Promise<string>;
  close(): Promise<void>;
}

export const newGenesis = (): string => toBase58(randomBytes(32));

export async function openSolanaRig(): Promise<SolanaRig> {
  const node = await startSolanaNode({ genesis: newGenesis(), firstSlot: 1_000 });
  const connection = connectionTo(node);
  const payer = Keypair.generate();
  await connection.requestAirdrop(payer.publicKey, Number(100n * SOL));
  mintUsdc(node.chain, payer.publicKey, 1_000_000_000n);
  return {
    node,
    connection,
    payer,
    async pay(instructions, ...signers) {
      const latest = await connection.getLatestBlockhash();
      const transaction = new Transaction({ feePayer: payer.publicKey, ...latest });
      transaction.add(...instructions).sign(payer, ...signers);
      return connection.sendRawTransaction(transaction.serialize());
    },
    async close() {
      // web3.js hangs up half a second after its last subscription, and dials again if we do.
      await eventually(
        async () => node.webSockets(),
        (open) => open === 0,
      );
      await node.close();
    },
  };
}

export const connectionTo = ({ url, wsUrl }: SolanaNode): Connection =>
  new Connection(url, { commitment: 'confirmed', wsEndpoint: wsUrl });

export const sol = (from: Keypair, to: PublicKey, lamports: bigint): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

/** To the owner's own token account, which is made if it is not there. */
export const usdc = (from: Keypair, to: PublicKey, amount: bigint): TransactionInstruction[] => [
  createTokenAccount({ payer: from.publicKey, owner: to, mint: USDC }),
  transferTokens({
    from: tokenAccountOf({ owner: from.publicKey, mint: USDC }),
    mint: USDC,
    to: tokenAccountOf({ owner: to, mint: USDC }),
    owner: from.publicKey,
    amount,
    decimals: USDC_DECIMALS,
  }),
];
