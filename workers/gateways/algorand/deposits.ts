import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import type { DepositChain } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { agreeing } from '../quorum.ts';
import { openIndexer } from './indexer.ts';
import { openProvider } from './provider.ts';

/** Algorand as a network for deposits. `answerMsMax`: time limit for an answer of an indexer. */
export function openAlgorandDeposits(
  network: AlgorandNetwork,
  { answerMsMax }: { answerMsMax?: number } = {},
): DepositChain {
  const options = {
    token: network.indexerToken,
    ...(answerMsMax !== undefined && { answerMsMax }),
  };
  const providers = network.indexers.map((url) => openProvider(openIndexer(url, options), network));
  return agreeing(providers, network.quorum);
}
