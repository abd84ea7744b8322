import type { Config } from '../../shared/composition/config.ts';
import type { DepositChain } from '../../shared/deposits/chain/deposit_chain.ts';
import type { ChainRail } from '../../shared/deposits/chain/networks.ts';

/** How each network is opened. It throws where the rail is off. */
const OPEN: { readonly [rail in ChainRail]?: (config: Config) => DepositChain } = {};

/** The network of a rail, opened when it is first asked for. */
export function openChains(config: Config): (rail: ChainRail) => DepositChain {
  const opened = new Map<ChainRail, DepositChain>();
  return (rail) => {
    const chain = opened.get(rail) ?? OPEN[rail]?.(config);
    if (!chain) throw new Error(`nothing here can read ${rail}`);
    opened.set(rail, chain);
    return chain;
  };
}
