import type { Config } from '../../shared/composition/config.ts';
import type { DepositChain } from '../../shared/domains/deposits/chain/deposit_chain.ts';
import type { ChainRail } from '../../shared/domains/deposits/chain/networks.ts';
import { openAlgorandDeposits } from './algorand/deposits.ts';
import { openEvmDeposits } from './evm/deposits.ts';
import { openProfiles, type Profiles } from './rpc/profiles.ts';
import { openSolanaDeposits } from './solana/deposits.ts';
import { openTronDeposits } from './tron/deposits.ts';

type Open = (config: Config, profiles: Profiles) => DepositChain;

const evm =
  (rail: keyof Config['deposits']['evm']['networks']): Open =>
  ({ deposits }, profiles) =>
    openEvmDeposits(deposits.evm.networks[rail]!, profiles);

/** Opens each network that is on. */
const OPEN: { readonly [rail in ChainRail]?: Open } = {
  algorand: ({ deposits }, profiles) =>
    openAlgorandDeposits(deposits.chains.algorand!, { profiles }),
  base: evm('base'),
  arbitrum: evm('arbitrum'),
  ethereum: evm('ethereum'),
  solana: ({ deposits }, profiles) => openSolanaDeposits(deposits.chains.solana!, profiles),
  tron: ({ deposits }, profiles) => openTronDeposits(deposits.chains.tron!, profiles),
};

/** The network of a rail, opened at its first use. */
export function openChains(
  config: Config,
  profiles = openProfiles(),
): (rail: ChainRail) => DepositChain {
  const opened = new Map<ChainRail, DepositChain>();
  return (rail) => {
    const chain = opened.get(rail) ?? OPEN[rail]?.(config, profiles);
    if (!chain) throw new Error(`nothing here can read ${rail}`);
    opened.set(rail, chain);
    return chain;
  };
}
