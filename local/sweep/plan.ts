import type { Holding, SweptChain } from './chain.ts';

/** Gas for a transfer of a token; below, for the coin, a receiving contract included. */
const TOKEN_GAS = 120_000n;
const COIN_GAS = 40_000n;
/**
 * Amount left at each address, in wei. Base takes a fee beside the gas that nobody knows in
 * advance, so the whole rest cannot be sent.
 */
const LEFT = 20_000_000_000_000n;

/** Balances of an address, and the amounts to send. */
export interface Step {
  readonly index: number;
  readonly address: string;
  readonly tokens: readonly { readonly contract: string; readonly amount: bigint }[];
  /** Approximate amount of the coin to send after the tokens; 0: none. */
  readonly coin: bigint;
  /** Amount of the coin that it needs first, for gas. */
  readonly gas: bigint;
}

export interface SweepMinimum {
  /** In base units. Smaller amounts stay. */
  readonly token: bigint;
  readonly coin: bigint;
}

/** The steps for these addresses, at current fees. */
export async function planOf(
  chain: Pick<SweptChain, 'holdingsOf' | 'fees'>,
  addresses: readonly { readonly index: number; readonly address: string }[],
  { takesCoin, least }: { takesCoin: boolean; least: SweepMinimum },
): Promise<readonly Step[]> {
  const { maxFeePerGas } = await chain.fees();
  const holdings = await chain.holdingsOf(addresses.map(({ address }) => address));
  const steps = addresses.map((one, at): Step => {
    const { coin, tokens } = holdings[at]!;
    const sent = [...tokens]
      .filter(([, amount]) => amount > 0n && amount >= least.token)
      .map(([contract, amount]) => ({ contract, amount }));
    const forTokens = BigInt(sent.length) * TOKEN_GAS * maxFeePerGas;
    const needs = sent.length > 0 ? forTokens + LEFT : 0n;
    const rest = restOf({ coin, tokens }, forTokens + COIN_GAS * maxFeePerGas);
    return {
      ...one,
      tokens: sent,
      coin: takesCoin && rest > 0n && rest >= least.coin ? rest : 0n,
      gas: needs > coin ? needs - coin : 0n,
    };
  });
  return steps.filter(({ tokens, coin }) => tokens.length > 0 || coin > 0n);
}

/** Amount of the coin that can be sent, less this much for gas. */
export const restOf = ({ coin }: Holding, gas: bigint): bigint => coin - gas - LEFT;
