import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import type { DepositChain } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { agreeing } from '../quorum.ts';
import { openProfiles, type Profiles } from '../rpc/profiles.ts';
import { openIndexer } from './indexer.ts';
import { openProvider } from './provider.ts';

interface AlgorandOptions {
  readonly answerMsMax?: number;
  readonly profiles?: Profiles;
}

/** Algorand as a network for deposits. `answerMsMax`: time limit for an answer of an indexer. */
export function openAlgorandDeposits(
  network: AlgorandNetwork,
  { answerMsMax, profiles = openProfiles() }: AlgorandOptions = {},
): DepositChain {
  const options = {
    token: network.indexerToken,
    ...(answerMsMax !== undefined && { answerMsMax }),
  };
  const providers = network.indexers.map((url) =>
    openProvider(openIndexer(url, { ...options, profile: profiles.of(url) }), network),
  );
  return agreeing(providers, network.quorum);
}
