import { readFileSync } from 'node:fs';

import { Wallet } from 'ethers';

/**
 * The wallet whose private key is in this file: 64 hex digits. Read when it is first needed, so
 * that only a process which pays ever has the key.
 */
export function openHotWallet(file: string | undefined): () => Wallet {
  let wallet: Wallet | undefined;
  return () => {
    wallet ??= walletIn(file);
    return wallet;
  };
}

function walletIn(file: string | undefined): Wallet {
  if (file === undefined) throw new Error('WITHDRAWAL_KEY_FILE is not set');
  const key = readFileSync(file, 'utf8').trim();
  // The error of ethers would repeat what is in the file.
  if (!/^(0x)?[\da-fA-F]{64}$/.test(key)) {
    throw new Error('the file that WITHDRAWAL_KEY_FILE names holds no private key');
  }
  return new Wallet(key.startsWith('0x') ? key : `0x${key}`);
}
