import { openJsonRpc, type JsonRpc } from './json_rpc.ts';

/**
 * A chain as several providers see it. What only one of them says is not believed: whoever asks
 * gets the answers of all, and an error when one is missing.
 */
export interface Chain {
  readonly chainId: number;
  ask<T>(method: string, params: readonly unknown[]): Promise<readonly T[]>;
  /** The same of each by itself, what it refused included. */
  askEach<T>(method: string, params: readonly unknown[]): Promise<PromiseSettledResult<T>[]>;
}

/** Each provider says first of which chain it is. One that is of another is never asked more. */
export function openChain(urls: readonly string[], chainId: number): Chain {
  const providers = urls.map((url) => openChecked(url, chainId));
  const askEach = <T>(method: string, params: readonly unknown[]) =>
    Promise.allSettled(providers.map((provider) => provider.ask<T>(method, params)));
  return {
    chainId,
    askEach,
    async ask<T>(method: string, params: readonly unknown[]) {
      if (providers.length === 0) throw new Error('BASE_RPC_URLS names no provider');
      return Promise.all(providers.map((provider) => provider.ask<T>(method, params)));
    },
  };
}

/** One provider alone, which says first of which chain it is. */
export function openChecked(
  url: string,
  chainId: number,
  answerMsMax?: number,
): Pick<JsonRpc, 'ask'> {
  const provider = openJsonRpc(url, answerMsMax);
  const { host } = new URL(url);
  let isRight = false;
  return {
    async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
      if (!isRight) {
        const found = Number(await provider.ask<string>('eth_chainId', []));
        if (found !== chainId) throw new Error(`${host} is of chain ${found}, not ${chainId}`);
        isRight = true;
      }
      return provider.ask<T>(method, params);
    },
  };
}

/** As a log of the chain has it. */
export interface LogLine {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly blockNumber: string;
}
