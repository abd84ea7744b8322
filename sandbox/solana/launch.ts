import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';

import { toBase58 } from '../../shared/domains/deposits/solana/base58.ts';
import type { LaunchEntry } from '../../local/launcher/launch_entry.ts';
import type { Service } from '../../local/launcher/supervisor.ts';
import { samePort, storedPort } from '../../local/ports.ts';
import { storedValue } from '../../local/stored_values.ts';
import { runsSandbox, withPlayMoney } from '../runs_sandbox.ts';
import { fundIssuer, issuerKeyFile } from './issuer.ts';
import type { SolanaNode } from './node.ts';

const PORT = 'solana_port';
const GENESIS = 'solana_genesis';
const ADDRESS = 'solana_address';

/** A quarter of Solana's, so that 32 slots take three seconds. */
const SLOT_MS = 100;

/**
 * A local Solana for deposits, unless a real one is set. Its address is known before it runs: it is
 * started once the API answers, so that it delays no start.
 */
export const solanaSandbox: LaunchEntry = {
  name: 'Solana sandbox',
  when: ({ production, env }) =>
    !production &&
    !env.SOLANA_RPC_URLS &&
    !env.SOLANA_DEPOSIT_ADDRESS &&
    runsSandbox(env, 'solana'),
  async env({ settings: { dataDir }, env }): Promise<Record<string, string>> {
    if (!isInstalled()) return {};
    return {
      SOLANA_RPC_URLS: `http://127.0.0.1:${await samePort(dataDir, PORT)}`,
      ...withPlayMoney(env, 'solana'),
      SOLANA_GENESIS: genesisIn(dataDir),
      SOLANA_DEPOSIT_ADDRESS: storedValue(dataDir, ADDRESS, newAddress),
      ...(!env.SOLANA_KEY_FILE &&
        !env.SOLANA_SIGNER_URL && { SOLANA_KEY_FILE: issuerKeyFile(dataDir) }),
    };
  },
  start: () => Promise.resolve([]),
  onReady({ settings: { dataDir } }) {
    if (isInstalled()) {
      console.log('Sandbox: deposits come in on Solana in play money. Try: docs/rails/solana.md');
      return Promise.resolve([serviceOf(dataDir)]);
    }
    console.log(
      'Sandbox: deposits on Solana are off. npm has no litesvm for this machine, or left it out ' +
        '(--omit=optional). SOLANA_RPC_URLS and SOLANA_DEPOSIT_ADDRESS set a real network.',
    );
    return Promise.resolve([]);
  },
};

/** URL of the network of this DATA_DIR, if it runs. */
export const solanaUrl = (dataDir: string): string =>
  `http://127.0.0.1:${storedPort(dataDir, PORT)}`;

/** Whether the package and its binary for this machine are installed. */
function isInstalled(): boolean {
  const { resolve } = createRequire(import.meta.url);
  const isThere = (name: string) => {
    try {
      return Boolean(resolve(name));
    } catch {
      return false;
    }
  };
  const machine = `litesvm-${process.platform}-${process.arch}`;
  const programs = [machine, `${machine}-gnu`, `${machine}-musl`];
  return isThere('litesvm') && programs.some(isThere);
}

const genesisIn = (dataDir: string) =>
  storedValue(dataDir, GENESIS, () => toBase58(randomBytes(32)));

/** An address whose key nobody has: nothing is ever spent from it. */
function newAddress(): string {
  const { publicKey } = generateKeyPairSync('ed25519');
  return toBase58(publicKey.export({ type: 'spki', format: 'der' }).subarray(-32));
}

/** The network as a service in this process. */
function serviceOf(dataDir: string): Service {
  let node: SolanaNode | undefined;
  let end: (reason: string) => void;
  const ended = new Promise<string>((resolve) => (end = resolve));
  return {
    name: 'Solana sandbox',
    pid: () => process.pid,
    ended: () => ended,
    async start() {
      const { startSolanaNode } = await import('./node.ts');
      node = await startSolanaNode({
        genesis: genesisIn(dataDir),
        folder: dataDir,
        port: storedPort(dataDir, PORT),
        slotMs: SLOT_MS,
        // Set by the clock, because a watcher has seen slots that were not saved.
        firstSlot: Math.floor(Date.now() / SLOT_MS),
      });
      await fundIssuer(node, dataDir);
    },
    async stop() {
      await node?.close();
      end('stopped');
    },
  };
}
