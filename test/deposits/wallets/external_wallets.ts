import { generateKeyPairSync, sign } from 'node:crypto';

import algosdk from 'algosdk';
import { concat, encodeBase58, keccak256, sha256, SigningKey, toUtf8Bytes, Wallet } from 'ethers';

/** A wallet as agents have one: its address, and how it signs a text. */
export interface ExternalWallet {
  readonly network: 'evm' | 'tron' | 'solana' | 'algorand';
  readonly address: string;
  readonly sign: (text: string) => Promise<string> | string;
}

export function evmWallet(): ExternalWallet {
  const wallet = Wallet.createRandom();
  return { network: 'evm', address: wallet.address, sign: (text) => wallet.signMessage(text) };
}

/** Signs like TronWeb's signMessageV2. */
export function tronWallet(): ExternalWallet {
  const wallet = Wallet.createRandom();
  const body = `0x41${wallet.address.slice(2)}`;
  const checksum = sha256(sha256(body)).slice(0, 10);
  const sign = (text: string) => {
    const bytes = toUtf8Bytes(text);
    const prefix = toUtf8Bytes(`\x19TRON Signed Message:\n${bytes.length}`);
    const digest = keccak256(concat([prefix, bytes]));
    return new SigningKey(wallet.privateKey).sign(digest).serialized;
  };
  return { network: 'tron', address: encodeBase58(concat([body, checksum])), sign };
}

export function solanaWallet(): ExternalWallet {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32);
  return {
    network: 'solana',
    address: encodeBase58(key),
    sign: (text) => encodeBase58(sign(null, Buffer.from(text), privateKey)),
  };
}

export function algorandWallet(): ExternalWallet {
  const { addr, sk } = algosdk.generateAccount();
  return {
    network: 'algorand',
    address: addr.toString(),
    sign: (text) => Buffer.from(algosdk.signBytes(Buffer.from(text), sk)).toString('base64'),
  };
}
