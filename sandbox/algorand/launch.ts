import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import { samePort, storedPort } from '../../local/ports.ts';
import { storedValue } from '../../local/stored_values.ts';
import { runsSandbox, withPlayMoney } from '../runs_sandbox.ts';
import { GENESIS_HASH } from './genesis.ts';
import { fundIssuer, issuerOf } from './issuer.ts';
import { bankOfSandbox, sandboxAccount } from './sandbox_account.ts';

const PORT = 'algorand_port';
/** Seed of the account for deposits. */
const TREASURY = 'algorand_treasury';
const ROUND_MS = 1_000;

/**
 * A local Algorand network for deposits of ALGO, unless one is set. Its addresses are known before
 * it runs: it is opened once the API answers, so that it delays no start.
 */
export const algorandSandbox: LaunchEntry = {
  name: 'Algorand sandbox',
  when: ({ production, env }) =>
    !production && runsSandbox(env, 'algorand') && SETTINGS.every((name) => !env[name]),
  async env({ settings: { dataDir }, env }) {
    const url = `http://127.0.0.1:${await samePort(dataDir, PORT)}`;
    const seed = storedValue(dataDir, TREASURY, () => randomBytes(32).toString('hex'));
    return {
      ALGO_NODE_URL: url,
      ALGO_INDEXER_URLS: `${url}/idx`,
      ...withPlayMoney(env, 'algorand'),
      ALGO_GENESIS_HASH: GENESIS_HASH.toString('base64'),
      ALGO_DEPOSIT_ADDRESS: sandboxAccount(Buffer.from(seed, 'hex')).address,
      ...(!env.ALGO_KEY_FILE &&
        !env.ALGO_SIGNER_URL && { ALGO_KEY_FILE: issuerOf(dataDir).keyFile }),
    };
  },
  start: () => Promise.resolve([]),
  async onReady({ settings: { dataDir }, stopping }) {
    const { openAlgorand } = await import('./algorand.ts');
    const node = await openAlgorand({
      bank: bankOfSandbox().address,
      port: storedPort(dataDir, PORT),
      roundMs: ROUND_MS,
      file: join(dataDir, 'algorand_sandbox.jsonl'),
    });
    stopping.addEventListener('abort', () => void node.close());
    await fundIssuer(dataDir, algodUrl(dataDir));
    console.log('Sandbox: ALGO is play money. Try: npm run pay -- algo 10 --key vnx_…');
  },
};

/** URL of the node of this DATA_DIR. */
export const algodUrl = (dataDir: string): string =>
  `http://127.0.0.1:${storedPort(dataDir, PORT)}`;

const SETTINGS = [
  'ALGO_NODE_URL',
  'ALGO_INDEXER_URLS',
  'ALGO_DEPOSIT_ADDRESS',
  'ALGO_GENESIS_HASH',
];
