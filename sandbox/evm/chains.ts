import { join } from 'node:path';

import { storedPort } from '../../local/ports.ts';
import { openEvm, type Evm } from './anvil.ts';

/** Local chains for deposits, by the network that they stand for. */
const CHAINS = {
  base: { port: 'evm_port', folder: 'evm', chainId: 8_453, usdc: undefined },
  arbitrum: { port: 'arbitrum_port', folder: 'arbitrum', chainId: 42_161, usdc: undefined },
  ethereum: {
    port: 'ethereum_port',
    folder: 'ethereum',
    chainId: 1,
    usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  },
} as const;
export type SandboxRail = keyof typeof CHAINS;

/** The chain of this DATA_DIR, also for a process that has not started it. */
export async function chainOf(dataDir: string, rail: SandboxRail): Promise<Evm> {
  const { folder, chainId, usdc } = CHAINS[rail];
  const port = storedPort(dataDir, CHAINS[rail].port);
  const common = { folder: join(dataDir, folder), port, chainId, durable: true };
  return openEvm(usdc ? { ...common, usdc } : common);
}

/** Name under which its port is stored. */
export const portOf = (rail: SandboxRail): string => CHAINS[rail].port;
