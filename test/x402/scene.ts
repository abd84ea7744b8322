import { x402Client } from '@x402/core/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment } from '@x402/fetch';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { Wallet } from 'ethers';
import { privateKeyToAccount } from 'viem/accounts';

import { startEvm, type Evm } from '../../sandbox/evm/anvil.ts';
import { startFacilitator, type Facilitator } from '../../sandbox/x402/facilitator.ts';
import { openPlatform } from '../faults/children.ts';
import type { Reply, TestPlatform } from '../harness.ts';
import { jsonOf } from '../answers.ts';
import { standInFront, type FacilitatorInFront } from './facilitator_in_front.ts';
import { walletWith } from './wallets.ts';

/** A real chain of this machine and a facilitator on it. */
export interface Paying {
  readonly evm: Evm;
  readonly facilitator: Facilitator;
  /** The environment of a platform that is paid there. */
  readonly settings: Record<string, string>;
  /** Our address. */
  readonly payTo: string;
  close(): Promise<void>;
}

/** The same, with a platform. */
export interface Scene extends Paying {
  readonly platform: TestPlatform;
}

/** The same; the platform asks whoever stands in front of the facilitator. */
export interface SceneInFront extends Scene {
  readonly inFront: FacilitatorInFront;
}

export async function openPaying(facilitatorUrl?: string): Promise<Paying> {
  const evm = await startEvm();
  const facilitator = await startFacilitator(evm);
  const payTo = Wallet.createRandom().address;
  const settings = {
    X402_FACILITATOR_URL: facilitatorUrl ?? facilitator.url,
    X402_RPC_URL: evm.url,
    X402_PAY_TO: payTo,
    SANDBOX: 'x402',
    EGRESS_ALLOW: '127.0.0.0/8',
  };
  const close = async () => {
    await facilitator.close();
    await evm.close();
  };
  return { evm, facilitator, settings, payTo, close };
}

export async function openScene({
  facilitatorUrl,
  workers = true,
  env = {},
}: {
  facilitatorUrl?: string;
  workers?: boolean;
  env?: Record<string, string>;
} = {}): Promise<Scene> {
  const paying = await openPaying(facilitatorUrl);
  const platform = await openPlatform({ workers, env: { ...paying.settings, ...env } });
  return {
    ...paying,
    platform,
    async close() {
      await platform.close();
      await paying.close();
    },
  };
}

export async function openSceneInFront(): Promise<SceneInFront> {
  const inFront = await standInFront();
  const scene = await openScene({ facilitatorUrl: inFront.url });
  inFront.passTo(scene.facilitator.url);
  return {
    ...scene,
    inFront,
    async close() {
      await scene.close();
      await inFront.close();
    },
  };
}

/** Somebody with a wallet and an unmodified client of version 2. */
export interface Payer {
  readonly wallet: Wallet;
  /** The payer's address as we show it. */
  readonly address: string;
  /** Pays when it is asked to. Notes what it sent with its payment. */
  readonly request: (route: string, options?: PaidOptions) => Promise<Reply>;
  /** The header that the last payment was sent in. */
  readonly sent: () => string;
}

interface PaidOptions {
  readonly key?: string;
  readonly body?: object;
  readonly headers?: Record<string, string>;
}

export async function payer({ evm, platform }: Scene, usd = 10): Promise<Payer> {
  return payerWith(await walletWith(evm, usd), platform);
}

/** One whose client knows of version 1 only: it pays what the body of a 402 asks for. */
export async function payerV1({ evm, platform }: Scene): Promise<Payer> {
  return payerWith(await walletWith(evm), platform, withoutV2);
}

function withoutV2({ status, body, headers }: Response): Response {
  const seen = new Headers(headers);
  for (const name of ['payment-required', 'payment-response']) seen.delete(name);
  return new Response(body, { status, headers: seen });
}

/** The same, with the money that its wallet has. `seen` is what its client sees of an answer. */
export function payerWith(
  wallet: Wallet,
  platform: TestPlatform,
  seen = (response: Response): Response => response,
): Payer {
  const client = new x402Client();
  registerExactEvmScheme(client, { signer: privateKeyToAccount(wallet.privateKey as never) });
  let sent = '';
  const noting: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent = request.headers.get('payment-signature') ?? request.headers.get('x-payment') ?? sent;
    return seen(await fetch(request));
  };
  const paying = wrapFetchWithPayment(noting, client);
  return {
    wallet,
    address: wallet.address.toLowerCase(),
    sent: () => sent,
    async request(route, { key, body, headers } = {}) {
      const [method, path] = route.split(' ') as [string, string];
      const response = await paying(platform.url + path, {
        method,
        headers: {
          'content-type': 'application/json',
          ...(key && { authorization: `Bearer ${key}` }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: jsonOf(text) };
    },
  };
}

/** The part of an answer about its payment. */
export const settlementOf = ({ headers }: Reply) =>
  decodePaymentResponseHeader(headers.get('payment-response')!);

/** The payment that an answer asks for. */
export const requiredBy = ({ headers }: Reply) =>
  JSON.parse(Buffer.from(headers.get('payment-required')!, 'base64').toString());
