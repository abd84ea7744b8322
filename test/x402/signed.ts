import { hexlify, randomBytes, type Wallet } from 'ethers';

import type { Scene } from './scene.ts';

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

interface Changes {
  readonly from?: string;
  readonly to?: string;
  readonly usd?: number;
  readonly seconds?: number;
  readonly nonce?: string;
  /** The message sent instead of what was signed. */
  readonly sent?: object;
  /** The terms that the payment says it accepts. */
  readonly accepted?: object;
}

/** A payment as a client makes it, or as none would: a payload of version 2, and of version 1. */
export async function signed(scene: Pick<Scene, 'payTo'>, wallet: Wallet, changes: Changes = {}) {
  const { usd = 0.002, seconds = 120 } = changes;
  const now = Math.floor(Date.now() / 1_000);
  const authorization = {
    from: changes.from ?? wallet.address,
    to: changes.to ?? scene.payTo,
    value: String(Math.round(usd * 1e6)),
    validAfter: '0',
    validBefore: String(now + seconds),
    nonce: changes.nonce ?? hexlify(randomBytes(32)),
  };
  const signature = await wallet.signTypedData(
    { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC },
    TYPES,
    authorization,
  );
  const payload = { signature, authorization: { ...authorization, ...changes.sent } };
  const accepted = {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: authorization.value,
    asset: USDC,
    payTo: scene.payTo,
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
    ...changes.accepted,
  };
  return {
    v2: { x402Version: 2, accepted, payload },
    v1: { x402Version: 1, scheme: 'exact', network: 'base', payload },
  };
}

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
};

export const encoded = (payment: object): string =>
  Buffer.from(JSON.stringify(payment)).toString('base64');

/** The header of a payment of version 2. */
export const paidBy = async (...args: Parameters<typeof signed>) => ({
  'payment-signature': encoded((await signed(...args)).v2),
});
