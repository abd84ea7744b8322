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

/** What each of them takes, and what it is called on its real network. */
export const CHAINS: {
  readonly [rail in ChainRail]: { readonly network: string; readonly assets: readonly Asset[] };
} = Object.freeze({
  algorand: { network: 'mainnet', assets: [asset('ALGO', 6, 'price')] },
  solana: { network: 'mainnet-beta', assets: [asset('SOL', 9, 'price'), USDC] },
  base: { network: 'base', assets: [ETH, USDC] },
  arbitrum: { network: 'arbitrum', assets: [ETH] },
  ethereum: { network: 'ethereum', assets: [USDC] },
  tron: { network: 'tron', assets: [asset('USDT', 6, 'dollar')] },
});
