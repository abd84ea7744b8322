import type { SettingReader } from '../../platform/config/environment.ts';
import {
  evmAddress,
  evmAddresses,
  extendedPublicKey,
  rpcUrls,
} from '../../platform/config/chain_values.ts';
import { flag, oneOf, whole } from '../../platform/config/setting_values.ts';

/** The networks of the EVM that money comes in on. Their rails have the same names. */
export const EVM_RAILS = ['base', 'arbitrum', 'ethereum'] as const;
export type EvmRail = (typeof EVM_RAILS)[number];

/** A network as it is reached, and what is taken there. Addresses in lower case. */
export interface EvmNetwork {
  readonly chainId: number;
  /** JSON-RPC of its providers. */
  readonly rpcUrls: readonly string[];
  /** How many of them have to say the same before it is believed. */
  readonly quorum: number;
  /** Of this machine, and so without value. */
  readonly isSandbox: boolean;
  /** The sign of its coin, if that is taken. */
  readonly coin?: string | undefined;
  /** The signs of the tokens that are taken, by their contracts. */
  readonly tokens: ReadonlyMap<string, string>;
  /** From when on a block counts as final. */
  readonly finality: 'finalized' | 'safe';
  /** Where everybody may pay to. */
  readonly address?: string | undefined;
  /** The contract that passes on to `address` what it is paid with a reference. */
  readonly router?: string | undefined;
  /** What these pay is no deposit: it is ours already. */
  readonly own: ReadonlySet<string>;
}

export interface EvmChain extends EvmNetwork {
  readonly rail: EvmRail;
  /** It has providers, and somewhere to pay to. */
  readonly isOn: boolean;
}

export function evmSettings({ read, optional }: SettingReader) {
  const address = optional('EVM_DEPOSIT_ADDRESS', evmAddress)?.toLowerCase();
  const xpub = optional('EVM_DEPOSIT_XPUB', extendedPublicKey);
  const others = read('EVM_OWN_ADDRESSES', '', evmAddresses).map((own) => own.toLowerCase());
  const quorum = optional('RPC_QUORUM', whole(1, 20)) ?? Infinity;
  const finality = read('EVM_FINALITY', 'finalized', oneOf('finalized', 'safe'));
  const common = { address, finality, own: new Set([address ?? [], others].flat()) };

  const chains: readonly Omit<EvmChain, 'isOn' | 'quorum'>[] = [
    {
      ...common,
      rail: 'base',
      chainId: read('BASE_CHAIN_ID', '8453', whole(1, 2 ** 31 - 1)),
      rpcUrls: read('BASE_RPC_URLS', '', rpcUrls),
      isSandbox: read('BASE_SANDBOX', 'false', flag),
      coin: 'ETH',
      tokens: usdcAt(read('BASE_USDC', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', evmAddress)),
      router: optional('BASE_DEPOSIT_ROUTER', evmAddress),
    },
    {
      ...common,
      rail: 'arbitrum',
      chainId: 42_161,
      rpcUrls: read('ARBITRUM_RPC_URLS', '', rpcUrls),
      isSandbox: read('ARBITRUM_SANDBOX', 'false', flag),
      coin: 'ETH',
      tokens: new Map(),
      router: optional('ARBITRUM_DEPOSIT_ROUTER', evmAddress),
    },
    {
      ...common,
      rail: 'ethereum',
      chainId: 1,
      rpcUrls: read('ETHEREUM_RPC_URLS', '', rpcUrls),
      isSandbox: read('ETHEREUM_SANDBOX', 'false', flag),
      tokens: usdcAt('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
      router: optional('ETHEREUM_DEPOSIT_ROUTER', evmAddress),
    },
  ];
  const all = chains.map((chain): EvmChain => {
    const { length } = chain.rpcUrls;
    return Object.freeze({
      ...chain,
      router: address && chain.router?.toLowerCase(),
      quorum: Math.min(quorum, length),
      isOn: length > 0 && (address ?? xpub) !== undefined,
    });
  });
  const on = all.filter(({ isOn }) => isOn).map((chain) => [chain.rail, chain]);
  return Object.freeze({
    /** Those that are on. */
    networks: Object.fromEntries(on) as { readonly [rail in EvmRail]?: EvmChain },
    all,
    /** What the addresses of agents are derived from. Nothing can be spent with it. */
    xpub,
  });
}

const usdcAt = (address: string) => new Map([[address.toLowerCase(), 'USDC']]);
