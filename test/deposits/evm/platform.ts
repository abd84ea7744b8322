import { startPrices, type PriceServer } from '../../../sandbox/prices/prices.ts';
import { TestPlatform } from '../../harness.ts';
import { openFaultyRpc, type FaultyRpc } from '../../withdrawals/faulty_rpc.ts';
import { openPaying, type Paying } from './payer.ts';

/** A chain like Base, whose payments can be priced, and the settings that take them. */
export interface PaidBase extends Paying {
  readonly prices: PriceServer;
  readonly env: Record<string, string>;
}

/** `isLong`: of many thousands of blocks. */
export async function openPaidBase({ isLong = false } = {}): Promise<PaidBase> {
  const paying = await openPaying(8453, isLong);
  const prices = await startPrices();
  return {
    ...paying,
    prices,
    env: {
      BASE_RPC_URLS: paying.evm.url,
      SANDBOX: 'base',
      BASE_DEPOSIT_ROUTER: paying.router,
      EVM_DEPOSIT_ADDRESS: paying.recipient,
      PRICE_SOURCES: prices.sources,
      EGRESS_ALLOW: new URL(prices.url).host,
    },
    async close() {
      await paying.close();
      await prices.close();
    },
  };
}

/** A platform that takes money there, of which two providers tell it. */
export interface BasePlatform extends PaidBase {
  readonly platform: TestPlatform;
  readonly providers: readonly [FaultyRpc, FaultyRpc];
}

export async function openBasePlatform(env: Record<string, string> = {}): Promise<BasePlatform> {
  const base = await openPaidBase();
  const providers = [await openFaultyRpc(base.evm.url), await openFaultyRpc(base.evm.url)] as const;
  const urls = providers.map(({ url }) => url).join(' ');
  const platform = await TestPlatform.open({ env: { ...base.env, BASE_RPC_URLS: urls, ...env } });
  return {
    ...base,
    platform,
    providers,
    async close() {
      await platform.close();
      for (const provider of providers) provider.close();
      await base.close();
    },
  };
}
