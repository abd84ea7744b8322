import type { DepositChain } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { SolanaNetwork } from '../../../shared/domains/deposits/solana/settings.ts';
import { openJsonRpc } from '../rpc/json_rpc.ts';
import { openProfiles } from '../rpc/profiles.ts';
import { agreeing } from '../quorum.ts';
import { openProvider } from './provider.ts';

/** Solana as a network for deposits. */
export function openSolanaDeposits(
  network: SolanaNetwork,
  profiles = openProfiles(),
): DepositChain {
  const providers = network.rpcUrls.map((url) =>
    openProvider(openJsonRpc(url, { profile: profiles.of(url) }), network),
  );
  return agreeing(providers, network.quorum);
}
