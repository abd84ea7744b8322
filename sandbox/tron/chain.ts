import { join } from 'node:path';

import { hexOfTron } from '../../shared/deposits/tron/address.ts';
import { TRON_CHAIN_ID, TRON_USDT } from '../../shared/deposits/tron/network.ts';
import { storedPort } from '../../local/ports.ts';
import { openEvm, type Evm } from '../evm/anvil.ts';

/** What the ports of the chain, and of what speaks as java-tron before it, are stored by. */
export const CHAIN_PORT = 'tron_chain_port';
export const NODE_PORT = 'tron_port';

/** The chain of this DATA_DIR, which another may ask that has not started it. */
export const tronChain = (dataDir: string): Promise<Evm> =>
  openEvm({
    folder: join(dataDir, 'tron'),
    port: storedPort(dataDir, CHAIN_PORT),
    chainId: TRON_CHAIN_ID,
    usdc: hexOfTron(TRON_USDT)!,
    durable: true,
  });
