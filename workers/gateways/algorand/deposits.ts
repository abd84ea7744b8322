import type { AlgorandNetwork } from '../../../shared/deposits/algorand/settings.ts';
import type { DepositChain } from '../../../shared/deposits/chain/deposit_chain.ts';
import { agreeing } from '../quorum.ts';
import { openIndexer } from './indexer.ts';
import { openProvider } from './provider.ts';

/** Algorand as a network that money comes in on. `answerMsMax`: so long each indexer may take. */
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
