import type { SettingReader } from '../../../platform/config/environment.ts';
import { rpcUrls as urls } from '../../../platform/config/chain_values.ts';
import { whole } from '../../../platform/config/setting_values.ts';
import { fromBase58 } from './base58.ts';
import { isSandboxed } from '../sandboxed/settings.ts';

/** The Solana cluster and its providers. */
interface SolanaCluster {
  /** JSON-RPC URLs of its providers. */
  readonly rpcUrls: readonly string[];
  /** Number of them that must agree before an answer counts. */
  readonly quorum: number;
  /** Whether it is a network on this machine, whose money has no value. */
  readonly isSandbox: boolean;
  /** Hash of its first block, which identifies the network. */
  readonly genesis: string;
}

/** The cluster with the accepted assets and the address for deposits. */
export interface SolanaNetwork extends SolanaCluster {
  /** The mint of USDC. */
  readonly usdc: string;
  /** Address shared by all payers: an owner of tokens, not a token account. */
  readonly address: string;
}

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Settings of deposits by Solana. Undefined: no provider or no address is set. */
export function solanaSettings(reader: SettingReader): SolanaNetwork | undefined {
  const cluster = solanaCluster(reader);
  const address = reader.optional('SOLANA_DEPOSIT_ADDRESS', solanaAddress);
  const usdc = reader.read('SOLANA_USDC', USDC, solanaAddress);
  if (!cluster || address === undefined) return undefined;
  return Object.freeze({ ...cluster, usdc, address });
}

/** Settings of the cluster. Undefined: no provider is set. */
export function solanaCluster(reader: SettingReader): SolanaCluster | undefined {
  const { read, optional } = reader;
  const rpcUrls = read('SOLANA_RPC_URLS', '', urls);
  const isSandbox = isSandboxed(reader, 'solana');
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? rpcUrls.length;
  // A payment in a sandbox must never count as one on mainnet, nor the reverse.
  const genesis = read('SOLANA_GENESIS', isSandbox ? '' : MAINNET, (hash) => {
    if (rpcUrls.length > 0 && (hash === '' || (hash === MAINNET) === isSandbox)) {
      throw new Error('must be that of mainnet-beta, and another if SANDBOX names solana');
    }
    return hash;
  });
  if (rpcUrls.length === 0) return undefined;
  return { rpcUrls, quorum: Math.min(quorum, rpcUrls.length), isSandbox, genesis };
}

/** Parses an address of 32 bytes in canonical form. */
function solanaAddress(text: string): string {
  if (!fromBase58(text, 32)) throw new Error('must be an address: 32 bytes in base 58');
  return text;
}
