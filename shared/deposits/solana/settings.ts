import type { SettingReader } from '../../platform/config/environment.ts';
import { rpcUrls as urls } from '../../platform/config/chain_values.ts';
import { flag, whole } from '../../platform/config/setting_values.ts';
import { fromBase58 } from './base58.ts';

/** Solana, as it is reached. */
export interface SolanaCluster {
  /** JSON-RPC of its providers. */
  readonly rpcUrls: readonly string[];
  /** How many of them have to say the same before it is believed. */
  readonly quorum: number;
  /** Of this machine, and so without value. */
  readonly isSandbox: boolean;
  /** The hash of its first block, by which one network is told from another. */
  readonly genesis: string;
}

/** What is taken there. */
export interface SolanaNetwork extends SolanaCluster {
  /** The mint of USDC. */
  readonly usdc: string;
  /** Where everybody pays to: an owner of tokens, and no token account. */
  readonly address: string;
}

const MAINNET = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Undefined: it has no provider, or nowhere to pay to. */
export function solanaSettings(reader: SettingReader): SolanaNetwork | undefined {
  const cluster = solanaCluster(reader);
  const address = reader.optional('SOLANA_DEPOSIT_ADDRESS', solanaAddress);
  const usdc = reader.read('SOLANA_USDC', USDC, solanaAddress);
  if (!cluster || address === undefined) return undefined;
  return Object.freeze({ ...cluster, usdc, address });
}

/** Undefined: it has no provider. */
export function solanaCluster({ read, optional }: SettingReader): SolanaCluster | undefined {
  const rpcUrls = read('SOLANA_RPC_URLS', '', urls);
  const isSandbox = read('SOLANA_SANDBOX', 'false', flag);
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? rpcUrls.length;
  // What is paid in a sandbox must never count as paid on mainnet, nor the other way round.
  const genesis = read('SOLANA_GENESIS', isSandbox ? '' : MAINNET, (hash) => {
    if (rpcUrls.length > 0 && (hash === '' || (hash === MAINNET) === isSandbox)) {
      throw new Error('must be that of mainnet-beta without SOLANA_SANDBOX, and another with it');
    }
    return hash;
  });
  if (rpcUrls.length === 0) return undefined;
  return { rpcUrls, quorum: Math.min(quorum, rpcUrls.length), isSandbox, genesis };
}

/** The only spelling of 32 bytes. */
function solanaAddress(text: string): string {
  if (!fromBase58(text, 32)) throw new Error('must be an address: 32 bytes in base 58');
  return text;
}
