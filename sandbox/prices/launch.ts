import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import { samePort, storedPort } from '../../local/ports.ts';
import { sourcesAt } from './prices.ts';

const PORT = 'prices_port';

/**
 * Fixed prices, unless sources are set. Only while all chains are local: real coins have other
 * prices. It is opened once the API answers; its address is known before.
 */
export const priceSandbox: LaunchEntry = {
  name: 'Price sandbox',
  when: ({ production, env }) => !production && SETTINGS.every((name) => !env[name]),
  async env({ settings: { dataDir }, env }) {
    const host = `127.0.0.1:${await samePort(dataDir, PORT)}`;
    return {
      PRICE_SOURCES: sourcesAt(`http://${host}`),
      EGRESS_ALLOW: [env.EGRESS_ALLOW || [], host].flat().join(','),
    };
  },
  start: () => Promise.resolve([]),
  async onReady({ settings: { dataDir } }) {
    const { startPrices } = await import('./prices.ts');
    await startPrices(storedPort(dataDir, PORT));
  },
};

const SETTINGS = [
  'PRICE_SOURCES',
  'BASE_RPC_URLS',
  'ARBITRUM_RPC_URLS',
  'ETHEREUM_RPC_URLS',
  'TRON_RPC_URLS',
  'SOLANA_RPC_URLS',
  'ALGO_NODE_URL',
  'ALGO_INDEXER_URLS',
];
