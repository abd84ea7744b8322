import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ROUTER } from '../../shared/domains/deposits/evm/router/router.ts';
import { usdcContract } from '../../sandbox/evm/anvil.ts';
import { chainOf, type SandboxRail } from '../../sandbox/evm/chains.ts';
import { readLocalSettings } from '../settings.ts';
import { NotPaid, type Market } from './market.ts';
import type { PayRail } from './rail.ts';

interface EvmInfo {
  readonly reference: string;
  readonly networks: readonly {
    readonly network: string;
    readonly wallet_ready: boolean;
    readonly sandbox: boolean;
    readonly router: string | null;
    readonly assets: readonly { readonly asset: string; readonly contract: string | null }[];
  }[];
}

/** Pays through the deposit router of a local chain, whose first account has unlimited money. */
const evmRail = (name: string, network: SandboxRail, asset: 'ETH' | 'USDC'): PayRail => ({
  name,
  usage: asset === 'ETH' ? '[--rpc URL] (the sum is in ETH)' : '[--rpc URL]',
  async pay(market, { amount, options }, say) {
    const { reference, networks } = await market.call<EvmInfo>('GET /api/v1/evm/info');
    const found = networks.find((one) => one.network === network);
    if (!found?.wallet_ready || !found.router) {
      throw new NotPaid(`This marketplace takes nothing by a router on ${network}.`);
    }
    if (!found.sandbox) throw new NotPaid(`Only sandboxes are paid from here, not ${network}.`);
    const token = found.assets.find((one) => one.asset === asset)!.contract;
    const { router } = found;
    say(`router     ${router} on ${network}`);
    const url = options.rpc ?? (await chainOf(resolve(readLocalSettings().dataDir), network)).url;
    const tx_hash = await payByRouter(url, { router, token, reference, amount });
    say(`payment    ${tx_hash}`);
    await untilCredited(market, { tx_hash, network });
  },
});

export const ethBase = evmRail('eth-base', 'base', 'ETH');
export const usdcBase = evmRail('usdc-base', 'base', 'USDC');
export const ethArbitrum = evmRail('eth-arbitrum', 'arbitrum', 'ETH');
export const usdcEthereum = evmRail('usdc-eth', 'ethereum', 'USDC');

interface Payment {
  readonly router: string;
  /** null: the coin. */
  readonly token: string | null;
  readonly reference: string;
  readonly amount: number;
}

/** Resolves with the hash of the transaction. */
async function payByRouter(url: string, { router, token, reference, amount }: Payment) {
  const { Contract, JsonRpcProvider, parseUnits } = await import('ethers');
  const provider = new JsonRpcProvider(url, undefined, { cacheTimeout: -1 });
  try {
    const payer = await provider.getSigner(0);
    const deposits = new Contract(router, ROUTER.abi as never, payer);
    if (token === null) {
      const value = parseUnits(amount.toFixed(18), 18);
      return (await deposits.deposit!(reference, { value })).hash as string;
    }
    const usdc = new Contract(token, usdcContract().abi as never, payer);
    const sum = parseUnits(amount.toFixed(6), 6);
    await (await usdc.mint!(payer.address, sum)).wait();
    await (await usdc.approve!(router, sum)).wait();
    return (await deposits.depositToken!(token, sum, reference)).hash as string;
  } finally {
    provider.destroy();
  }
}

const FINAL_MS_MAX = 30_000;
const LOOK_MS = 500;

/** Reports the payment. It would be found without that some seconds later. */
async function untilCredited(market: Market, payment: { tx_hash: string; network: string }) {
  for (const since = Date.now(); Date.now() - since < FINAL_MS_MAX; await sleep(LOOK_MS)) {
    const call = market.call<{ status?: string }>('POST /api/v1/evm/verify', payment);
    const { status } = await call.catch(() => ({ status: 'unknown' }));
    if (status === 'credited') return;
  }
}
