import type { SettingReader } from '../../platform/config/environment.ts';
import { rpcUrls } from '../../platform/config/chain_values.ts';
import { flag, whole } from '../../platform/config/setting_values.ts';
import type { RailSettings } from '../chain/networks.ts';
import { isAlgorandAddress } from './address.ts';

/** The network of Algorand that money comes in on. */
export interface AlgorandNetwork extends RailSettings {
  /** URLs of its indexers: of these alone is asked what was paid. */
  readonly indexers: readonly string[];
  /** What all of them want as X-Indexer-API-Token. */
  readonly indexerToken: string | undefined;
  /** How many of them have to say the same before it is believed. */
  readonly quorum: number;
  /** What its transactions name it by, in base64. */
  readonly genesisHash: string;
  readonly address: string;
}

const MAINNET = 'wGHE2Pwdvd7S12BL5FaOP20EGYesN73ktiC1qzkkit8=';

/** Undefined: nothing is paid in by Algorand. */
export function algorandSettings({ read, optional }: SettingReader): AlgorandNetwork | undefined {
  const indexers = read('INDEXER_URL', '', rpcUrls);
  const indexerToken = optional('INDEXER_TOKEN', String);
  const address = optional('ALGO_DEPOSIT_ADDRESS', algorandAddress);
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? indexers.length;
  const { isSandbox, genesisHash } = algorandNetwork({ read });
  if (indexers.length === 0 || address === undefined) return undefined;
  return Object.freeze({
    indexers,
    indexerToken,
    quorum: Math.min(quorum, indexers.length),
    genesisHash,
    address,
    isSandbox,
  });
}

/** Which network it is. Only what is on mainnet is worth anything. */
export function algorandNetwork({ read }: Pick<SettingReader, 'read'>) {
  const isSandbox = read('ALGO_SANDBOX', 'false', flag);
  const genesisHash = read('ALGO_GENESIS_HASH', isSandbox ? undefined : MAINNET, (text) => {
    if (Buffer.from(text, 'base64').length !== 32) throw new Error('must be 32 bytes in base64');
    if (isSandbox && text === MAINNET) throw new Error('is of mainnet, which is no sandbox');
    if (!isSandbox && text !== MAINNET) {
      throw new Error('is not of mainnet: its money is worth nothing, so set ALGO_SANDBOX=true');
    }
    return text;
  });
  return { isSandbox, genesisHash };
}

function algorandAddress(text: string): string {
  if (!isAlgorandAddress(text)) throw new Error('must be an address of Algorand, 58 characters');
  return text;
}
