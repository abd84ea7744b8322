import type { TronNetwork } from '../../../shared/domains/deposits/tron/settings.ts';
import { openJsonRpc, type JsonRpc } from '../rpc/json_rpc.ts';
import type { Profile } from '../rpc/profile.ts';

const FIRST_BLOCK = '0x00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';

/** Header of TronGrid's keys: https://developers.tron.network/reference/select-network */
const KEY_HEADER = 'TRON-PRO-API-KEY';

type RpcNetwork = Pick<TronNetwork, 'isSandbox' | 'rpcUrls' | 'apiKey'>;

/** A provider of Tron. A local chain may have Tron's id, so the first block is checked too. */
export function openTronRpc(url: string, network: RpcNetwork, profile?: Profile): JsonRpc {
  const { rpcUrls, isSandbox, apiKey } = network;
  // The key belongs to the first provider; the others must not get it.
  const isKeyed = apiKey !== undefined && url === rpcUrls[0];
  const headers = isKeyed ? { [KEY_HEADER]: apiKey } : {};
  const rpc = openJsonRpc(url, { headers, ...(profile && { profile }) });
  let isRight = isSandbox;

  async function assertIsTron(): Promise<void> {
    const first = await rpc.ask<{ hash?: unknown } | null>('eth_getBlockByNumber', ['0x0', false]);
    if (first?.hash !== FIRST_BLOCK) throw new Error(`${rpc.profile.name} is not of Tron`);
    isRight = true;
  }

  return {
    profile: rpc.profile,
    async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
      if (!isRight) await assertIsTron();
      return rpc.ask<T>(method, params);
    },
    async askAll(questions) {
      if (!isRight) await assertIsTron();
      return rpc.askAll(questions);
    },
  };
}
