import type { DepositChain } from '../../../shared/deposits/chain/deposit_chain.ts';
import type { EvmNetwork } from '../../../shared/deposits/evm/settings.ts';
import { agreeing } from '../quorum.ts';
import { openJsonRpc } from './json_rpc.ts';
import { openProvider } from './provider.ts';

/** A network of the EVM that money comes in on. */
export function openEvmDeposits(network: EvmNetwork): DepositChain {
  const providers = network.rpcUrls.map((url) =>
    openProvider(openJsonRpc(url), new URL(url).host, network),
  );
  return agreeing(providers, network.quorum);
}
