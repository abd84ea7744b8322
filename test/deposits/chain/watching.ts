import { expect } from 'chai';

import { eventually, type TestPlatform } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import type { BasePlatform } from '../evm/platform.ts';

export type Agent = Awaited<ReturnType<TestPlatform['agent']>>;
type Caller = Pick<Agent, 'key'>;

const CHAIN_WAS_MADE = 'select position::int from chain_cursor where position is not null';

/** Calls and readings of a platform that watches this chain. */
export function watching(base: BasePlatform) {
  const { platform } = base;
  const cursor = async (): Promise<number | undefined> =>
    (await platform.query(CHAIN_WAS_MADE))[0]?.position;
  /** Searches until it is so. */
  const search = (isSo: () => Promise<boolean>) =>
    eventually(async () => {
      await runTimer(platform, 'watch_chains');
      return isSo();
    }, Boolean);
  return {
    cursor,
    search,
    async searchToEnd() {
      const { number } = JSON.parse(
        JSON.stringify(await base.evm.send('eth_getBlockByNumber', ['finalized', false])),
      );
      await search(async () => (await cursor()) === Number(number));
    },
    cashOf: async ({ key }: Caller): Promise<number> =>
      (await platform.request('GET /api/v1/wallet', { key })).body.cash,
    depositsOf: async ({ key }: Caller) =>
      (await platform.request('GET /api/v1/wallet/deposits', { key })).body.deposits,
    verify: ({ key }: Caller, tx_hash: string) =>
      platform.request('POST /api/v1/evm/verify?wait=20', { key, body: { tx_hash } }),
    /** The reference of the agent, as get_wallet shows it. */
    async referenceOf({ key }: Caller): Promise<string> {
      const { body } = await platform.request('GET /api/v1/wallet', { key });
      const method = body.deposit_methods.find(({ rail }: { rail: string }) => rail === 'base');
      expect(method).to.include({ enabled: true, network: 'sandbox', address: base.router });
      return method.reference;
    },
    /** The wallet of the chain's payer, or another one there, signs that it is the agent's. */
    async linkPayer({ key }: Caller, address = base.payer): Promise<void> {
      const link = (signature?: unknown) =>
        platform.request('POST /api/v1/wallets/link?wait=20', {
          key,
          body: {
            network: 'evm',
            address,
            ...(signature !== undefined && { signature }),
          },
        });
      const { message } = (await link()).body;
      const text = `0x${Buffer.from(message).toString('hex')}`;
      const signed = await base.evm.send('personal_sign', [text, address]);
      expect((await link(signed)).status).to.equal(200);
    },
  };
}
