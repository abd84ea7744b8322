import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { storedValue } from '../../local/stored_values.ts';
import type { SolanaNode } from './node.ts';

const NAME = 'solana_issuer';
/** In lamports: enough for some thousand collections. */
const LEAST = 20_000_000_000n;

/** Key file of the wallet that makes collections on the local network; made when missing. */
export function issuerKeyFile(dataDir: string): string {
  seedOf(dataDir);
  return join(dataDir, NAME);
}

/** Gives it play money if it has too little. */
export async function fundIssuer({ chain }: SolanaNode, dataDir: string): Promise<void> {
  const { Keypair, SystemProgram } = await import('@solana/web3.js');
  const { pay } = await import('./faucet.ts');
  const { accountAt } = await import('./token_account.ts');
  const { publicKey } = Keypair.fromSeed(Buffer.from(seedOf(dataDir), 'hex'));
  if ((accountAt(chain.svm(), publicKey.toBase58())?.lamports ?? 0n) >= LEAST) return;
  const fromPubkey = chain.faucet.publicKey;
  pay(chain, [SystemProgram.transfer({ fromPubkey, toPubkey: publicKey, lamports: LEAST })]);
}

const seedOf = (dataDir: string): string =>
  storedValue(dataDir, NAME, () => randomBytes(32).toString('hex'));
