import type { DepositChain } from '../../../shared/domains/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../shared/domains/deposits/evm/settings.ts';
import { agreeing } from '../quorum.ts';
import { openJsonRpc } from './json_rpc.ts';
import { openProvider } from './provider.ts';

/** An EVM network for deposits. */
export function openEvmDeposits(network: EvmNetwork): DepositChain {
  const providers = network.rpcUrls.map((url) =>
    openProvider(openJsonRpc(url), new URL(url).host, network),
  );
  return agreeing(providers, network.quorum);
}
