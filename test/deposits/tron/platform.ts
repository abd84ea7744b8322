import { startPrices, type PriceServer } from '../../../sandbox/prices/prices.ts';
import { TestPlatform } from '../../harness.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { openTronPaying, type TronPaying } from './payer.ts';

/** The public key of a phrase that nobody keeps money with. */
const XPUB =
  'xpub6DyUKdwoLWmUJ4Tn9Bbsdtx7B5Ws18mEN19e5HT52ikE53FiUheSQXrZUNPovqfyKmw4579A1Mm3GXXKM39N64uooBfJ4tNAzFsEbodRTx4';

/** A chain like Tron, and the settings that take its payments. */
export interface PaidTron extends TronPaying {
  readonly env: Record<string, string>;
}

export async function openPaidTron(): Promise<PaidTron> {
  const tron = await openTronPaying();
  const env = {
    TRON_RPC_URLS: tron.node.url,
    SANDBOX: 'tron',
    TRON_DEPOSIT_ADDRESS: tron.recipient,
    TRON_DEPOSIT_XPUB: XPUB,
  };
  return { ...tron, env };
}

/** A platform that takes money there, of which two providers tell it. */
export interface TronPlatform extends PaidTron {
  readonly platform: TestPlatform;
  readonly prices: PriceServer;
  readonly providers: readonly [FaultyRpc, FaultyRpc];
}

export async function openTronPlatform(): Promise<TronPlatform> {
  const tron = await openPaidTron();
  const prices = await startPrices();
  const { url } = tron.node;
  const providers = [await openFaultyRpc(url), await openFaultyRpc(url)] as const;
  const env = {
    ...tron.env,
    TRON_RPC_URLS: providers.map((provider) => provider.url).join(' '),
    PRICE_SOURCES: prices.sources,
    EGRESS_ALLOW: new URL(prices.url).host,
  };
  const platform = await TestPlatform.open({ env });
  return {
    ...tron,
    env,
    platform,
    prices,
    providers,
    async close() {
      await platform.close();
      for (const provider of providers) provider.close();
      await prices.close();
      await tron.close();
    },
  };
}
