import { Keypair, PublicKey, type Transaction } from '@solana/web3.js';

import type { SolanaIssuer } from '../../../shared/domains/tokens/settings.ts';
import { openSigningService } from '../signing_service.ts';
import { seedIn } from './key_file.ts';

/** Signs only for the wallet that makes collections. */
export interface SolanaSigner {
  readonly owner: PublicKey;
  sign(transaction: Transaction): Promise<void>;
}

type Settings = Pick<SolanaIssuer, 'keyFile' | 'signerUrl'>;

export async function openSigner({ keyFile, signerUrl }: Settings): Promise<SolanaSigner> {
  if (signerUrl !== undefined) return signerAt(signerUrl);
  if (keyFile === undefined) throw new Error('SOLANA_KEY_FILE is not set');
  const wallet = Keypair.fromSeed(seedIn(keyFile));
  return { owner: wallet.publicKey, sign: async (transaction) => transaction.sign(wallet) };
}

/** A signer whose key is in a signing service. */
async function signerAt(url: string): Promise<SolanaSigner> {
  const service = openSigningService(url);
  const owner = new PublicKey(await service.address());
  return {
    owner,
    async sign(transaction) {
      const message = transaction.serializeMessage().toString('base64');
      const { signatures } = await service.sign<{ signatures: readonly string[] }>({
        messages: [message],
      });
      const signature = Buffer.from(signatures[0] ?? '', 'base64');
      if (signature.length === 64) transaction.addSignature(owner, signature);
      if (transaction.verifySignatures()) return;
      throw new Error('the signer signed another transaction than it was asked to');
    },
  };
}
