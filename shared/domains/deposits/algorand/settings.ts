import type { SettingReader } from '../../../platform/config/environment.ts';
import { hostTokens, NO_TOKENS, type HostTokens } from '../../../platform/config/host_tokens.ts';
import { rpcUrls } from '../../../platform/config/chain_values.ts';
import { whole } from '../../../platform/config/setting_values.ts';
import type { RailSettings } from '../chain/networks.ts';
import { isAlgorandAddress } from './address.ts';
import { isSandboxed } from '../sandboxed/settings.ts';

/** The Algorand network for deposits. */
export interface AlgorandNetwork extends RailSettings {
  /** URLs of its indexers, the only sources for payments. */
  readonly indexers: readonly string[];
  /** The X-Indexer-API-Token of each. */
  readonly indexerTokens: HostTokens;
  /** Number of them that must agree before an answer counts. */
  readonly quorum: number;
  /** The genesis hash that its transactions carry, in base64. */
  readonly genesisHash: string;
  readonly address: string;
}

const MAINNET = 'wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=';

/** Settings of deposits by Algorand. Undefined: off. */
export function algorandSettings({ read, optional }: SettingReader): AlgorandNetwork | undefined {
  const indexers = read('ALGO_INDEXER_URLS', '', rpcUrls);
  const indexerTokens = optional('ALGO_INDEXER_TOKEN', hostTokens(indexers)) ?? NO_TOKENS;
  const address = optional('ALGO_DEPOSIT_ADDRESS', algorandAddress);
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? indexers.length;
  const { isSandbox, genesisHash } = algorandNetwork({ read });
  if (indexers.length === 0 || address === undefined) return undefined;
  return Object.freeze({
    indexers,
    indexerTokens,
    quorum: Math.min(quorum, indexers.length),
    genesisHash,
    address,
    isSandbox,
  });
}

/** The configured network. Only money on mainnet has value. */
export function algorandNetwork(reader: Pick<SettingReader, 'read'>) {
  const { read } = reader;
  const isSandbox = isSandboxed(reader, 'algorand');
  const genesisHash = read('ALGO_GENESIS_HASH', isSandbox ? undefined : MAINNET, (text) => {
    if (Buffer.from(text, 'base64').length !== 32) throw new Error('must be 32 bytes in base64');
    if (isSandbox && text === MAINNET) throw new Error('is of mainnet, which is no sandbox');
    if (!isSandbox && text !== MAINNET) {
      throw new Error('is not of mainnet: its money is worth nothing, so name algorand in SANDBOX');
    }
    return text;
  });
  return { isSandbox, genesisHash };
}

function algorandAddress(text: string): string {
  if (!isAlgorandAddress(text)) throw new Error('must be an address of Algorand, 58 characters');
  return text;
}
