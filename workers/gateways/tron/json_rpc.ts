import type { TronNetwork } from '../../../shared/domains/deposits/tron/settings.ts';
import { openJsonRpc, RpcRefusal, type JsonRpc, type Question } from '../evm/json_rpc.ts';

const FIRST_BLOCK = '0x00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc';

/** Header of TronGrid's keys: https://developers.tron.network/reference/select-network */
const KEY_HEADER = 'TRON-PRO-API-KEY';

type RpcNetwork = Pick<TronNetwork, 'isSandbox' | 'rpcUrls' | 'apiKey'>;

/**
 * A provider of Tron. Its nodes may accept no batches, or only short ones
 * (`node.jsonrpc.maxBatchSize`): then questions go one by one from then on. A local chain may have
 * Tron's id, so the first block is checked too.
 */
export function openTronRpc(url: string, network: RpcNetwork): JsonRpc {
  const { rpcUrls, isSandbox, apiKey } = network;
  // The key belongs to the first provider; the others must not get it.
  const isKeyed = apiKey !== undefined && url === rpcUrls[0];
  const rpc = openJsonRpc(url, undefined, isKeyed ? { [KEY_HEADER]: apiKey } : {});
  let takesBatches = true;
  let isRight = isSandbox;

  async function answersTo(questions: readonly Question[]): Promise<readonly unknown[]> {
    if (takesBatches) {
      try {
        return await rpc.askAll(questions);
      } catch (error) {
        if (!(error instanceof RpcRefusal)) throw error;
      }
    }
    const answers = await Promise.all(questions.map(([name, params]) => rpc.ask(name, params)));
    takesBatches = false;
    return answers;
  }

  async function assertIsTron(): Promise<void> {
    const first = await rpc.ask<{ hash?: unknown } | null>('eth_getBlockByNumber', ['0x0', false]);
    if (first?.hash !== FIRST_BLOCK) throw new Error(`${new URL(url).host} is not of Tron`);
    isRight = true;
  }

  return {
    async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
      if (!isRight) await assertIsTron();
      return rpc.ask<T>(method, params);
    },
    async askAll(questions) {
      if (!isRight) await assertIsTron();
      return answersTo(questions);
    },
  };
}
