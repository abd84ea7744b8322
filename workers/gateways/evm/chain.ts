import type { WithdrawalSettings } from '../../../shared/domains/withdrawals/settings.ts';
import { openJsonRpc, type JsonRpc } from '../rpc/json_rpc.ts';
import type { Profiles } from '../rpc/profiles.ts';
import { openQuorum } from './quorum_answers.ts';

/** A chain as several providers see it. An answer that is not of a quorum is not believed. */
export interface Chain {
  readonly chainId: number;
  readonly quorum: number;
  /** The answers of providers, at least of a quorum. Throws if fewer answer. */
  ask<T>(method: string, params: readonly unknown[]): Promise<readonly T[]>;
  /** The results of work with each, as many. */
  each<T>(work: (provider: Provider) => Promise<T>): Promise<readonly T[]>;
}

type Provider = Pick<JsonRpc, 'ask' | 'profile'>;

/** Checks first which chain each provider is of. One of another chain is never asked more. */
export function openChain(
  { rpcUrls, chainId, quorum }: Pick<WithdrawalSettings['base'], 'rpcUrls' | 'chainId' | 'quorum'>,
  profiles: Profiles,
): Chain {
  const providers = rpcUrls.map((url) => openChecked(url, chainId, { profile: profiles.of(url) }));
  const each = openQuorum(providers, quorum);
  return {
    chainId,
    quorum,
    each,
    ask: (method, params) => each((provider) => provider.ask(method, params)),
  };
}

/** One provider alone, whose chain is checked first. */
export function openChecked(
  url: string,
  chainId: number,
  options: Parameters<typeof openJsonRpc>[1] = {},
): Provider {
  const provider = openJsonRpc(url, options);
  let isRight = false;
  return {
    profile: provider.profile,
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
