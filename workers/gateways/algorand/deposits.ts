import type { AlgorandNetwork } from '../../../shared/domains/deposits/algorand/settings.ts';
import type { DepositChain } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import { tokenFor } from '../../../shared/platform/config/host_tokens.ts';
import { agreeing } from '../quorum.ts';
import { openProfiles, type Profiles } from '../rpc/profiles.ts';
import { openIndexer } from './indexer.ts';
import { openProvider } from './provider.ts';

/** Algorand as a network for deposits. `answerMsMax`: time limit for an answer of an indexer. */
export function openAlgorandDeposits(
  network: AlgorandNetwork,
  { answerMsMax, profiles = openProfiles() }: { answerMsMax?: number; profiles?: Profiles } = {},
): DepositChain {
  const limit = answerMsMax === undefined ? {} : { answerMsMax };
  const providers = network.indexers.map((url) => {
    const token = tokenFor(network.indexerTokens, url);
    return openProvider(openIndexer(url, { token, ...limit, profile: profiles.of(url) }), network);
  });
  return agreeing(providers, network.quorum);
}
