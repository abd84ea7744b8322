import { readFileSync, statSync } from 'node:fs';

import { HDNodeWallet, Wallet } from 'ethers';

/** Nothing was sent; the message has the reason. */
export class NotSwept extends Error {}

/** Path by which wallets derive Ethereum addresses, if the words are given and not the key. */
const PATH = "m/44'/60'/0'/0";

/**
 * The private parent of the agents' addresses: an extended private key, or the words of a wallet.
 * No message repeats the content of the file.
 */
export function parentIn(file: string): HDNodeWallet {
  const text = secretIn(file);
  try {
    if (!text.startsWith('xprv')) return HDNodeWallet.fromPhrase(text, undefined, PATH);
    const parent = HDNodeWallet.fromExtendedKey(text);
    if (parent instanceof HDNodeWallet) return parent;
  } catch {
    // Reported below.
  }
  throw new NotSwept(`${file} holds neither an extended private key nor the words of a wallet.`);
}

/** The wallet whose private key is in this file: 64 hex digits. */
export function walletIn(file: string): Wallet {
  const text = secretIn(file);
  if (!/^(0x)?[\da-f]{64}$/i.test(text)) throw new NotSwept(`${file} holds no private key.`);
  return new Wallet(text.startsWith('0x') ? text : `0x${text}`);
}

function secretIn(file: string): string {
  let text: string;
  try {
    if ((statSync(file).mode & 0o077) !== 0) {
      throw new NotSwept(`${file} can be read by others than its owner: chmod 600 it first.`);
    }
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw error instanceof NotSwept ? error : new NotSwept(`${file} cannot be read.`);
  }
  return text;
}
