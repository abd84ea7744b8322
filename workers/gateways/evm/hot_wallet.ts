import { readFileSync } from 'node:fs';

import { getAddress, Transaction, Wallet } from 'ethers';

import { openSigningService } from '../signing_service.ts';

/** The wallet that pays withdrawals. */
interface HotWallet {
  address(): Promise<string>;
  /** Returns the signed transaction, in hexadecimal digits. */
  sign(transaction: Transaction): Promise<string>;
}

interface Settings {
  readonly walletKeyFile: string | undefined;
  readonly signerUrl: string | undefined;
}

export const openHotWallet = ({ walletKeyFile, signerUrl }: Settings): HotWallet =>
  signerUrl === undefined ? walletOfFile(walletKeyFile) : walletAt(signerUrl);

/**
 * The wallet whose private key is in this file: 64 hex digits. The file is read at the first use,
 * so that only a process that pays has the key.
 */
function walletOfFile(file: string | undefined): HotWallet {
  let wallet: Wallet | undefined;
  const open = () => (wallet ??= walletIn(file));
  return {
    address: async () => open().address,
    sign: async (transaction) => open().signTransaction(transaction),
  };
}

function walletIn(file: string | undefined): Wallet {
  if (file === undefined) throw new Error('BASE_KEY_FILE is not set');
  const key = readFileSync(file, 'utf8').trim();
  // The error of ethers would repeat the content of the file.
  if (!/^(0x)?[\da-fA-F]{64}$/.test(key)) {
    throw new Error('the file that BASE_KEY_FILE names holds no private key');
  }
  return new Wallet(key.startsWith('0x') ? key : `0x${key}`);
}

/** A wallet whose key is in a signing service. */
function walletAt(url: string): HotWallet {
  const service = openSigningService(url);
  let address: string | undefined;
  const open = async () => (address ??= getAddress(await service.address()));
  return {
    address: open,
    async sign(transaction) {
      const wanted = transaction.unsignedSerialized;
      const { signed } = await service.sign<{ signed: readonly string[] }>({
        transactions: [wanted],
      });
      const given = Transaction.from(signed[0] ?? '0x');
      if (given.unsignedSerialized === wanted && given.from === (await open())) {
        return given.serialized;
      }
      throw new Error('the signer signed another transaction than it was asked to');
    },
  };
}
