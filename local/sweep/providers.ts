import type { EvmChain } from '../../shared/deposits/evm/settings.ts';
import { openJsonRpc, type Question } from '../../workers/gateways/evm/json_rpc.ts';
import { checked } from '../../workers/gateways/evm/provider.ts';
import { NotSwept } from './keys.ts';

/**
 * The providers of a network, of which as many as the quorum have to answer. Each says first of
 * which network it is.
 */
export interface Providers {
  readonly hosts: readonly string[];
  /**
   * What each that answers says to these questions. Throws NotSwept where those are fewer than the
   * quorum.
   */
  readonly ask: (questions: readonly Question[]) => Promise<readonly (readonly unknown[])[]>;
  /** What each says to one question. */
  readonly askOne: (...question: Question) => Promise<readonly unknown[]>;
  /** The largest number that as many as the quorum say is reached. */
  readonly reached: (said: readonly unknown[]) => bigint;
  /** Gives it to all of them; one has to take it. */
  readonly send: (signed: string) => Promise<void>;
  readonly quorum: number;
}

export function openProviders(network: EvmChain): Providers {
  const { quorum } = network;
  const hosts = network.rpcUrls.map((url) => new URL(url).host);
  const providers = network.rpcUrls.map((url, at) =>
    checked(openJsonRpc(url), hosts[at]!, network),
  );

  async function answersTo(questions: readonly Question[], needed: number) {
    const asked = await Promise.allSettled(
      providers.map((ask) => ask<readonly unknown[]>(questions)),
    );
    const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    if (answers.length >= needed) return answers;
    const faults = asked.flatMap((one, at) =>
      one.status === 'rejected' ? `${hosts[at]}: ${(one.reason as Error).message}` : [],
    );
    throw new NotSwept([`${needed} providers have to answer`, ...faults].join('; '));
  }
  const ask = (questions: readonly Question[]) => answersTo(questions, quorum);
  return {
    hosts,
    quorum,
    ask,
    askOne: async (...question) => (await ask([question])).map(([answer]) => answer),
    reached: (said) => {
      const numbers = said.map((hex) => BigInt(String(hex)));
      return numbers.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0))[quorum - 1]!;
    },
    send: async (signed) => void (await answersTo([['eth_sendRawTransaction', [signed]]], 1)),
  };
}
