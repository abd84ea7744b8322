import type { LaunchEntry } from '../local/launcher/launch_entry.ts';
import type { PaidRail } from '../shared/domains/deposits/chain/networks.ts';
import type { Environment } from '../shared/platform/config/environment.ts';
import { runsSandbox } from './runs_sandbox.ts';

/** Networks of play money, and the settings of a real network without which they would run. */
const SANDBOXES: readonly {
  readonly rail: PaidRail;
  readonly networks: string;
  /** Settings of an address or a key, which lead nowhere by themselves. */
  readonly settings: readonly string[];
  /** Settings that name a node of the real network: it is used in place of the sandbox. */
  readonly nodes: readonly string[];
}[] = [
  {
    rail: 'base',
    networks: 'Base, Arbitrum, Ethereum and x402',
    settings: ['BASE_KEY_FILE', 'BASE_SIGNER_URL'],
    nodes: ['BASE_RPC_URLS'],
  },
  {
    rail: 'base',
    networks: 'deposits on Base, Arbitrum and Ethereum',
    settings: ['EVM_DEPOSIT_ADDRESS', 'EVM_DEPOSIT_XPUB'],
    nodes: ['BASE_RPC_URLS', 'ARBITRUM_RPC_URLS', 'ETHEREUM_RPC_URLS'],
  },
  {
    rail: 'solana',
    networks: 'Solana',
    settings: ['SOLANA_DEPOSIT_ADDRESS'],
    nodes: ['SOLANA_RPC_URLS'],
  },
  {
    rail: 'tron',
    networks: 'Tron',
    settings: ['TRON_DEPOSIT_ADDRESS', 'TRON_DEPOSIT_XPUB', 'TRON_USDT'],
    nodes: ['TRON_RPC_URLS'],
  },
  {
    rail: 'algorand',
    networks: 'Algorand',
    settings: ['ALGO_DEPOSIT_ADDRESS', 'ALGO_GENESIS_HASH'],
    nodes: ['ALGO_INDEXER_URLS', 'ALGO_NODE_URL'],
  },
];

/**
 * Says which sandboxes do not run because of a setting that does not put a real network in their
 * place: play money and real money are never mixed, but whoever set a key alone expects neither.
 */
export const absentSandboxes: LaunchEntry = {
  name: 'Sandboxes that do not run',
  when: ({ production, env }) => !production && absencesIn(env).length > 0,
  start: () => Promise.resolve([]),
  onReady: ({ settings: { env } }) => {
    for (const sentence of absencesIn(env)) console.log(sentence);
    return Promise.resolve([]);
  },
};

const absencesIn = (env: Environment): string[] =>
  SANDBOXES.flatMap(({ rail, networks, settings, nodes }) => {
    const set = settings.filter((name) => env[name]);
    const isAbsent = set.length > 0 && runsSandbox(env, rail) && nodes.every((name) => !env[name]);
    return isAbsent
      ? `Sandbox: no play money on ${networks}, because a real network's ${set.join(' and ')} is ` +
          `set. Leave that out, or name its network too (${nodes.join(', ')}).`
      : [];
  });
