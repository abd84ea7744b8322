import type { SettingReader } from '../../../platform/config/environment.ts';
import {
  evmAddress,
  evmAddresses,
  extendedPublicKey,
  rpcUrls,
} from '../../../platform/config/chain_values.ts';
import { list, oneOf, whole } from '../../../platform/config/setting_values.ts';
import { isSandboxed } from '../sandboxed/settings.ts';

/** EVM networks for deposits. Their rails have the same names. */
export const EVM_RAILS = ['base', 'arbitrum', 'ethereum'] as const;
type EvmRail = (typeof EVM_RAILS)[number];

/** A network with its providers and accepted assets. Addresses are in lower case. */
export interface EvmNetwork {
  readonly chainId: number;
  /** JSON-RPC URLs of its providers. */
  readonly rpcUrls: readonly string[];
  /** Number of them that must agree before an answer counts. */
  readonly quorum: number;
  /** Whether it is a network on this machine, whose money has no value. */
  readonly isSandbox: boolean;
  /** Symbol of its coin, if accepted. */
  readonly coin?: string | undefined;
  /**
   * Whether its blocks are read whole, so that payments of the coin that leave no log are found
   * without a call. Absent: they are.
   */
  readonly readsBlocks?: boolean;
  /** Symbols of accepted tokens by their contracts. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Block tag from which a block counts as final. */
  readonly finality: 'finalized' | 'safe';
  /** Address shared by all payers. */
  readonly address?: string | undefined;
  /** The contract that forwards payments with a reference to `address`. */
  readonly router?: string | undefined;
  /** Our own wallets, whose payments are no deposits. */
  readonly own: ReadonlySet<string>;
}

export interface EvmChain extends EvmNetwork {
  readonly rail: EvmRail;
  /** Whether it has providers and an address to pay to. */
  readonly isOn: boolean;
}

export function evmSettings(reader: SettingReader) {
  const { read, optional } = reader;
  const address = optional('EVM_DEPOSIT_ADDRESS', evmAddress)?.toLowerCase();
  const xpub = optional('EVM_DEPOSIT_XPUB', extendedPublicKey);
  const others = read('EVM_OWN_ADDRESSES', '', evmAddresses).map((own) => own.toLowerCase());
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? Infinity;
  const readWhole = read('EVM_WHOLE_BLOCKS', 'base arbitrum', railsWithCoin);
  const finality = read('EVM_FINALITY', 'finalized', oneOf('finalized', 'safe'));
  const common = { address, finality, own: new Set([address ?? [], others].flat()) };

  const chains: readonly Omit<EvmChain, 'isOn' | 'quorum'>[] = [
    {
      ...common,
      rail: 'base',
      chainId: read('BASE_CHAIN_ID', '8453', whole(1, 2 ** 31 - 1)),
      rpcUrls: read('BASE_RPC_URLS', '', rpcUrls),
      isSandbox: isSandboxed(reader, 'base'),
      coin: 'ETH',
      tokens: usdcAt(read('BASE_USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', evmAddress)),
      router: optional('BASE_DEPOSIT_ROUTER', evmAddress),
    },
    {
      ...common,
      rail: 'arbitrum',
      chainId: 42_161,
      rpcUrls: read('ARBITRUM_RPC_URLS', '', rpcUrls),
      isSandbox: isSandboxed(reader, 'arbitrum'),
      coin: 'ETH',
      tokens: new Map(),
      router: optional('ARBITRUM_DEPOSIT_ROUTER', evmAddress),
    },
    {
      ...common,
      rail: 'ethereum',
      chainId: 1,
      rpcUrls: read('ETHEREUM_RPC_URLS', '', rpcUrls),
      isSandbox: isSandboxed(reader, 'ethereum'),
      tokens: usdcAt('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      router: optional('ETHEREUM_DEPOSIT_ROUTER', evmAddress),
    },
  ];
  const all = chains.map((chain): EvmChain => {
    const { length } = chain.rpcUrls;
    return Object.freeze({
      ...chain,
      readsBlocks: readWhole.has(chain.rail),
      router: address && chain.router?.toLowerCase(),
      quorum: Math.min(quorum, length),
      isOn: length > 0 && (address ?? xpub) !== undefined,
    });
  });
  const on = all.filter(({ isOn }) => isOn).map((chain) => [chain.rail, chain]);
  return Object.freeze({
    /** Networks that are on. */
    networks: Object.fromEntries(on) as { readonly [rail in EvmRail]?: EvmChain },
    all,
    /** Extended public key from which the addresses of agents are derived. It cannot spend. */
    xpub,
  });
}

const COIN_RAILS = ['base', 'arbitrum'] as const;

/** Parses the rails whose blocks are read whole; `none` names none. */
const railsWithCoin = (text: string): ReadonlySet<EvmRail> =>
  new Set(text === 'none' ? [] : list(text).map(oneOf(...COIN_RAILS)));

const usdcAt = (address: string) => new Map([[address.toLowerCase(), 'USDC']]);
