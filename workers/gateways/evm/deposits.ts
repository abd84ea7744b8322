import type { DepositChain } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';
import { agreeing } from '../quorum.ts';
import { openJsonRpc } from '../rpc/json_rpc.ts';
import { openProfiles } from '../rpc/profiles.ts';
import { openProvider } from './provider.ts';

/** An EVM network for deposits. */
export function openEvmDeposits(network: EvmNetwork, profiles = openProfiles()): DepositChain {
  const providers = network.rpcUrls.map((url) =>
    openProvider(openJsonRpc(url, { profile: profiles.of(url) }), network),
  );
  return agreeing(providers, network.quorum);
}
