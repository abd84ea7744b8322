import { join } from 'node:path';

import { hexOfTron } from '../../shared/domains/deposits/tron/address.ts';
import { TRON_CHAIN_ID, TRON_USDT } from '../../shared/domains/deposits/tron/network.ts';
import { storedPort } from '../../local/ports.ts';
import { openEvm, type Evm } from '../evm/anvil.ts';

/** Names under which the ports of the chain and of its java-tron front are stored. */
export const CHAIN_PORT = 'tron_chain_port';
export const NODE_PORT = 'tron_port';

/** The chain of this DATA_DIR, also for a process that has not started it. */
export const tronChain = (dataDir: string): Promise<Evm> =>
  openEvm({
    folder: join(dataDir, 'tron'),
    port: storedPort(dataDir, CHAIN_PORT),
    chainId: TRON_CHAIN_ID,
    usdc: hexOfTron(TRON_USDT)!,
    durable: true,
  });
