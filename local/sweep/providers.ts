import type { EvmChain } from '../../shared/domains/deposits/evm/settings.ts';
import { openJsonRpc } from '../../workers/gateways/rpc/json_rpc.ts';
import type { Question } from '../../workers/gateways/rpc/question.ts';
import { checked } from '../../workers/gateways/evm/provider.ts';
import { NotSwept } from './keys.ts';

/**
 * The providers of a network, of which a quorum has to answer. Each is first checked to be of the
 * network.
 */
interface Providers {
  readonly hosts: readonly string[];
  /**
   * The answers of each provider to these questions. Throws NotSwept if fewer than the quorum
   * answer.
   */
  readonly ask: (questions: readonly Question[]) => Promise<readonly (readonly unknown[])[]>;
  /** The answers of each provider to one question. */
  readonly askOne: (...question: Question) => Promise<readonly unknown[]>;
  /** Largest number that a quorum has reached. */
  readonly reached: (said: readonly unknown[]) => bigint;
  /** Sends it to all providers; one has to take it. */
  readonly send: (signed: string) => Promise<void>;
  readonly quorum: number;
}

export function openProviders(network: EvmChain): Providers {
  const { quorum } = network;
  const hosts = network.rpcUrls.map((url) => new URL(url).host);
  const providers = network.rpcUrls.map((url) => checked(openJsonRpc(url), network));

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
