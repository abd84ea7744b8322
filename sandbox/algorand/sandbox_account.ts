import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';

import { addressOf } from '../../shared/domains/deposits/algorand/address.ts';
import { GENESIS_ID } from './genesis.ts';

/** DER prefix of the 32 bytes of a seed. */
const SEED_DER = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

export interface SandboxAccount {
  readonly address: string;
  /** Key in the SDK's format: the seed and the public key. */
  readonly secretKey: Uint8Array;
}

/** The account of a seed of 32 bytes. */
export function sandboxAccount(seed: Uint8Array): SandboxAccount {
  const key = Buffer.concat([SEED_DER, seed]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  const publicKey = der.subarray(-KEY_BYTES);
  return { address: addressOf(publicKey), secretKey: Buffer.concat([seed, publicKey]) };
}

/** The account with all ALGO at first. Everybody may use its key: it is play money. */
export const bankOfSandbox = (): SandboxAccount =>
  sandboxAccount(createHash('sha256').update(`bank of ${GENESIS_ID}`).digest());
