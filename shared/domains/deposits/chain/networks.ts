import type { Rail } from '../../ledger/ledger.ts';

/** The rails that are chains. */
export type ChainRail = Exclude<Rail, 'card' | 'x402'>;

/** An asset accepted as payment. */
export interface Asset {
  readonly sign: string;
  /** Decimals of its smallest unit. */
  readonly decimals: number;
  /** dollar: worth $1 while its price is near that. price: converted at its price. */
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
  /** Name of its main network. */
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

/** The rails whose payments may be of nobody: x402 is paid on Base, too. */
export type PaidRail = ChainRail | 'x402';
export const chainOf = (rail: PaidRail): Chain => CHAINS[rail === 'x402' ? 'base' : rail];

export const CHAIN_RAILS = Object.freeze(Object.keys(CHAINS)) as readonly ChainRail[];
export const PAID_RAILS: readonly PaidRail[] = Object.freeze([...CHAIN_RAILS, 'x402']);

/** Settings of a rail that is a chain. */
export interface RailSettings {
  /** Whether it is a network on this machine, whose money has no value. */
  readonly isSandbox: boolean;
  /** Address shared by all payers. Absent: only addresses of agents, or `router`. */
  readonly address?: string | undefined;
  /** A contract that forwards payments made with a reference. */
  readonly router?: string | undefined;
  /** Extended public key from which the addresses of agents are derived. */
  readonly xpub?: string | undefined;
  /** Our own wallets, whose payments are no deposits. */
  readonly own?: ReadonlySet<string>;
}
/** Settings of the rails that are on. */
export type ChainSettings = { readonly [rail in ChainRail]?: RailSettings };

/** Prefix of a sandbox's name, so that its payments never collide with those of a real network. */
const SANDBOX = 'sandbox-';

/** The name of a network in deposits. */
export const networkOf = (rail: ChainRail, { isSandbox }: Pick<RailSettings, 'isSandbox'>) =>
  (isSandbox ? SANDBOX : '') + CHAINS[rail].network;

/** The name of a network for callers. */
export const shownNetwork = (network: string): string =>
  network.startsWith(SANDBOX) ? 'sandbox' : network;

/** An address in its canonical form, for comparisons. */
export const spellingOf = (family: Family, address: string): string =>
  family === 'evm' ? address.toLowerCase() : address;
