import { createHash } from 'node:crypto';

import {
  decodeBase58,
  encodeBase58,
  getBytes,
  keccak256,
  recoverAddress,
  toBeArray,
  toUtf8Bytes,
} from 'ethers';

import type { Wallet } from './wallet.ts';

/** Prefix of the 20 bytes that the address would have on Ethereum. */
const MAINNET = 0x41;

/** signMessageV2 of TronWeb: like Ethereum's, with another prefix. */
export const tronWallet: Wallet = {
  addressOf(text) {
    if (!/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return undefined;
    const bytes = Buffer.from(toBeArray(decodeBase58(text)));
    const [body, checksum] = [bytes.subarray(0, 21), bytes.subarray(21)];
    const isOne = bytes.length === 25 && body[0] === MAINNET;
    return isOne && checksumOf(body).equals(checksum) ? text : undefined;
  },

  isSigned({ address, text, signature }) {
    const message = toUtf8Bytes(text);
    const prefix = toUtf8Bytes(`\x19TRON Signed Message:\n${message.length}`);
    const signer = recoverAddress(keccak256(Buffer.concat([prefix, message])), hexOf(signature));
    const body = Buffer.from([MAINNET, ...getBytes(signer)]);
    return encodeBase58(Buffer.concat([body, checksumOf(body)])) === address;
  },
};

/** TronWeb answers with or without 0x. */
const hexOf = (signature: string) => (signature.startsWith('0x') ? signature : `0x${signature}`);

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const checksumOf = (body: Uint8Array) => sha256(sha256(body)).subarray(0, 4);
