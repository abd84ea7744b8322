import { readFileSync } from 'node:fs';

import algosdk, { type Transaction } from 'algosdk';

import type { AlgorandIssuer } from '../../../shared/domains/tokens/settings.ts';
import { openSigningService } from '../signing_service.ts';

/** Signs only for the wallet that issues tokens. */
interface AlgorandSigner {
  address(): Promise<string>;
  /** Signs in the order of the transactions. Refuses one that would give the wallet away. */
  sign(transactions: readonly Transaction[]): Promise<Uint8Array[]>;
}

type Settings = Pick<AlgorandIssuer, 'keyFile' | 'signerUrl'>;

export function openSigner({ keyFile, signerUrl }: Settings): AlgorandSigner {
  const signer = signerUrl === undefined ? signerOfFile(keyFile) : signerAt(signerUrl);
  return {
    address: () => signer.address(),
    async sign(transactions) {
      for (const transaction of transactions) assertHarmless(transaction);
      return signer.sign(transactions);
    },
  };
}

/** Refuses a transaction that hands the wallet to another key, or empties it. */
function assertHarmless({ rekeyTo, payment, assetTransfer }: Transaction): void {
  if (rekeyTo || payment?.closeRemainderTo || assetTransfer?.closeRemainderTo) {
    throw new Error('a transaction would give the wallet away: it is not signed');
  }
}

/** Reads the file at the first use, so that only a process that issues tokens has the key. */
function signerOfFile(file: string | undefined): AlgorandSigner {
  let account: algosdk.Account | undefined;
  const open = (): algosdk.Account => (account ??= accountIn(file));
  return {
    address: async () => open().addr.toString(),
    sign: async (transactions) => transactions.map((one) => one.signTxn(open().sk)),
  };
}

function accountIn(file: string | undefined): algosdk.Account {
  if (file === undefined) throw new Error('ALGO_KEY_FILE is not set');
  const words = readFileSync(file, 'utf8').trim().split(/\s+/).join(' ');
  try {
    const isSeed = /^[\da-f]{64}$/.test(words);
    const seed = new Uint8Array(Buffer.from(words, 'hex'));
    return algosdk.mnemonicToSecretKey(isSeed ? algosdk.mnemonicFromSeed(seed) : words);
  } catch {
    // The SDK's own error could repeat the content of the file.
    throw new Error('the file that ALGO_KEY_FILE names holds neither 25 words nor a seed in hex');
  }
}

/** Signs by a service that has the key. */
function signerAt(url: string): AlgorandSigner {
  const service = openSigningService(url);
  return {
    address: async () => algosdk.Address.fromString(await service.address()).toString(),
    async sign(transactions) {
      const unsigned = transactions.map((one) => Buffer.from(one.toByte()).toString('base64'));
      const { signed } = await service.sign<{ signed: readonly string[] }>({
        transactions: unsigned,
      });
      return transactions.map((one, n) => {
        const bytes = new Uint8Array(Buffer.from(signed[n] ?? '', 'base64'));
        if (algosdk.decodeSignedTransaction(bytes).txn.txID() === one.txID()) return bytes;
        throw new Error('the signer signed another transaction than it was asked to');
      });
    },
  };
}
