import { OPERATOR_TOKEN } from '../../access/scene.ts';
import { eventually } from '../../harness.ts';
import { runTimer } from '../../orders/trade.ts';
import { done } from '../../tasks/board.ts';
import { watching, type Agent } from '../chain/watching.ts';
import type { BasePlatform } from '../evm/platform.ts';

/** Balances of our addresses on a chain, on a platform whose agents each have one of their own. */
export function balancesOn(base: BasePlatform) {
  const { platform } = base;
  const watched = watching(base);
  return {
    ...watched,
    async addressOf({ key }: Agent): Promise<string> {
      const { body } = await platform.request('GET /api/v1/evm/info', { key });
      return body.networks.find(({ network }: { network: string }) => network === 'base').address;
    },
    /** Searches all that is final, and reads the balances of all addresses after it. */
    async read(): Promise<void> {
      await base.finalize();
      await watched.searchToEnd();
      await eventually(
        async () => {
          await runTimer(platform, 'watch_balances');
          return platform.query('select from chain_balance_page where block is distinct from $1', [
            await watched.cursor(),
          ]);
        },
        (behind) => behind.length === 0,
      );
    },
    unclaimed: async () =>
      done(await platform.request('GET /api/v1/admin/unclaimed', { key: OPERATOR_TOKEN })).payments,
    /** Questions that a provider is asked while this is done. */
    async asked(method: string, doing: () => Promise<void>): Promise<unknown[][]> {
      const all: unknown[][] = [];
      base.providers[0].on(method, (params, forward) => {
        all.push(params);
        return forward();
      });
      await doing();
      base.providers[0].honest();
      return all;
    },
    /** An address of ours sends what it holds of the coin, but for the fee. */
    async sweep(from: string, value: bigint): Promise<void> {
      await base.evm.send('anvil_impersonateAccount', [from]);
      const sent = { from, to: base.payer, value: `0x${value.toString(16)}` };
      const hash = await base.evm.send('eth_sendTransaction', [sent]);
      await eventually(() => base.evm.send('eth_getTransactionReceipt', [hash]), Boolean);
    },
  };
}
