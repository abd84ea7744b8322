import type { Config } from '../../shared/composition/config.ts';
import type { DepositChain } from '../../shared/domains/deposits/chain/deposit_chain.ts';
import type { ChainRail } from '../../shared/domains/deposits/chain/networks.ts';
import { openAlgorandDeposits } from './algorand/deposits.ts';
import { openEvmDeposits } from './evm/deposits.ts';
import { openSolanaDeposits } from './solana/deposits.ts';
import { openTronDeposits } from './tron/deposits.ts';

const evm = ({ deposits }: Config, rail: keyof Config['deposits']['evm']['networks']) =>
  openEvmDeposits(deposits.evm.networks[rail]!);

/** Opens each network that is on. */
const OPEN: { readonly [rail in ChainRail]?: (config: Config) => DepositChain } = {
  algorand: ({ deposits }) => openAlgorandDeposits(deposits.chains.algorand!),
  base: (config) => evm(config, 'base'),
  arbitrum: (config) => evm(config, 'arbitrum'),
  ethereum: (config) => evm(config, 'ethereum'),
  solana: ({ deposits }) => openSolanaDeposits(deposits.chains.solana!),
  tron: ({ deposits }) => openTronDeposits(deposits.chains.tron!),
};

/** The network of a rail, opened at its first use. */
export function openChains(config: Config): (rail: ChainRail) => DepositChain {
  const opened = new Map<ChainRail, DepositChain>();
  return (rail) => {
    const chain = opened.get(rail) ?? OPEN[rail]?.(config);
    if (!chain) throw new Error(`nothing here can read ${rail}`);
    opened.set(rail, chain);
    return chain;
  };
}
