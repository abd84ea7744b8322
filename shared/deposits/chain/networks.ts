import type { Rail } from '../../ledger/ledger.ts';

/** The rails that are chains. */
export type ChainRail = Exclude<Rail, 'card' | 'x402'>;

/** A thing that is taken as money. */
export interface Asset {
  readonly sign: string;
  /** Of its smallest unit. */
  readonly decimals: number;
  /** dollar: worth one, while its price stays near. Others are converted at their price. */
  readonly worth: 'dollar' | 'price';
}

const asset = (sign: string, decimals: number, worth: Asset['worth']): Asset =>
  Object.freeze({ sign, decimals, worth });

const USDC = asset('USDC', 6, 'dollar');
const ETH = asset('ETH', 18, 'price');

/** Networks that share their addresses, and so their wallets. */
export const FAMILIES = ['evm', 'tron', 'solana', 'algorand'] as const;
export type Family = (typeof FAMILIES)[number];

interface Chain {
  /** What its real network is called. */
  readonly network: string;
  readonly family: Family;
  readonly assets: readonly Asset[];
}

export const CHAINS: { readonly [rail in ChainRail]: Chain } = Object.freeze({
  algorand: { network: 'mainnet', family: 'algorand', assets: [asset('ALGO', 6, 'price')] },
  solana: { network: 'mainnet-beta', family: 'solana', assets: [asset('SOL', 9, 'price'), USDC] },
  base: { network: 'base', family: 'evm', assets: [ETH, USDC] },
  arbitrum: { network: 'arbitrum', family: 'evm', assets: [ETH] },
  ethereum: { network: 'ethereum', family: 'evm', assets: [USDC] },
  tron: { network: 'tron', family: 'tron', assets: [asset('USDT', 6, 'dollar')] },
});

export const CHAIN_RAILS = Object.freeze(Object.keys(CHAINS)) as readonly ChainRail[];

/** A rail that is one, as the settings of its network have it. */
export interface RailSettings {
  /** It is a network of this machine, whose money is worth nothing. */
  readonly isSandbox: boolean;
  /** Where everybody may pay to. Absent: only to the addresses of agents, or to `router`. */
  readonly address?: string | undefined;
  /** A contract that passes on what it is paid with a reference. */
  readonly router?: string | undefined;
}
/** Those that are on. */
export type ChainSettings = { readonly [rail in ChainRail]?: RailSettings };

/** Before the name of a network, so that no payment in a sandbox can meet one on a real network. */
const SANDBOX = 'sandbox-';

/** The network as deposits name it. */
export const networkOf = (rail: ChainRail, { isSandbox }: Pick<RailSettings, 'isSandbox'>) =>
  (isSandbox ? SANDBOX : '') + CHAINS[rail].network;

/** The same as callers read it. */
export const shownNetwork = (network: string): string =>
  network.startsWith(SANDBOX) ? 'sandbox' : network;

/** An address as it is compared. */
export const spellingOf = (family: Family, address: string): string =>
  family === 'evm' ? address.toLowerCase() : address;
