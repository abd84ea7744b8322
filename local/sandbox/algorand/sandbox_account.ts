import { createPrivateKey, createPublicKey, randomBytes } from 'node:crypto';

import { addressOf } from '../../../shared/deposits/algorand/address.ts';
import { storedValue } from '../../stored_values.ts';

/** What comes before the 32 bytes of a seed in DER. */
const SEED_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

export interface SandboxAccount {
  readonly address: string;
  /** As the SDK signs with: the seed and the public key. */
  readonly secretKey: Uint8Array;
}

/** The account whose seed is in this file of DATA_DIR; made when missing. */
export function sandboxAccount(dataDir: string, name: string): SandboxAccount {
  const seed = Buffer.from(
    storedValue(dataDir, name, () => randomBytes(KEY_BYTES).toString('hex')),
    'hex',
  );
  const key = Buffer.concat([SEED_DER, seed]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = der.subarray(-KEY_BYTES);
  return { address: addressOf(publicKey), secretKey: Buffer.concat([seed, publicKey]) };
}
