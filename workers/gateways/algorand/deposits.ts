import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import type { DepositChain } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { tokenFor } from '../../../shared/platform/config/host_tokens.ts';
import { agreeing } from '../quorum.ts';
import { openIndexer } from './indexer.ts';
import { openProvider } from './provider.ts';

/** Algorand as a network for deposits. `answerMsMax`: time limit for an answer of an indexer. */
export function openAlgorandDeposits(
  network: AlgorandNetwork,
  { answerMsMax }: { answerMsMax?: number } = {},
): DepositChain {
  const providers = network.indexers.map((url) => {
    const token = tokenFor(network.indexerTokens, url);
    const limit = answerMsMax === undefined ? {} : { answerMsMax };
    return openProvider(openIndexer(url, { token, ...limit }), network);
  });
  return agreeing(providers, network.quorum);
}
