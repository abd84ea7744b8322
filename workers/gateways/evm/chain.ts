import { openJsonRpc, type JsonRpc } from '../rpc/json_rpc.ts';
import type { Profiles } from '../rpc/profiles.ts';

/**
 * A chain as several providers see it. An answer of only one of them is not believed: the caller
 * gets the answers of all, and an error when one is missing.
 */
export interface Chain {
  readonly chainId: number;
  ask<T>(method: string, params: readonly unknown[]): Promise<readonly T[]>;
  /** The answers of each provider by itself, refusals included. */
  askEach<T>(method: string, params: readonly unknown[]): Promise<PromiseSettledResult<T>[]>;
}

/** Checks first which chain each provider is of. One of another chain is never asked more. */
export function openChain(urls: readonly string[], chainId: number, profiles: Profiles): Chain {
  const providers = urls.map((url) => openChecked(url, chainId, { profile: profiles.of(url) }));
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

/** One provider alone, whose chain is checked first. */
export function openChecked(
  url: string,
  chainId: number,
  options: Parameters<typeof openJsonRpc>[1] = {},
): Pick<JsonRpc, 'ask'> {
  const provider = openJsonRpc(url, options);
  let isRight = false;
  return {
    async ask<T>(method: string, params: readonly unknown[]): Promise<T> {
      if (!isRight) {
        const found = Number(await provider.ask<string>('eth_chainId', []));
        if (found !== chainId)
          throw new Error(`${provider.profile.name} is of chain ${found}, not ${chainId}`);
        isRight = true;
      }
      return provider.ask<T>(method, params);
    },
  };
}

/** A log of the chain. */
export interface LogLine {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly transactionHash: string;
  readonly logIndex: string;
  readonly blockNumber: string;
}
