import type { Holding, SweptChain } from './chain.ts';

/** For a transfer of a token, and for one of the coin, a contract that receives it included. */
const TOKEN_GAS = 120_000n;
const COIN_GAS = 40_000n;
/**
 * Left at each address, in wei. Base takes a fee beside the gas that nobody knows before, and the
 * whole rest cannot be sent for that.
 */
const LEFT = 20_000_000_000_000n;

/** What an address has, and what of it is sent. */
export interface Step {
  readonly index: number;
  readonly address: string;
  readonly tokens: readonly { readonly contract: string; readonly amount: bigint }[];
  /** About so much of the coin, once the tokens are sent; 0: none. */
  readonly coin: bigint;
  /** So much of the coin it needs first. */
  readonly gas: bigint;
}

export interface Least {
  /** In base units. Less than that stays where it is. */
  readonly token: bigint;
  readonly coin: bigint;
}

/** What would be sent from these addresses, at the fees of now. */
export async function planOf(
  chain: Pick<SweptChain, 'holdingsOf' | 'fees'>,
  addresses: readonly { readonly index: number; readonly address: string }[],
  { takesCoin, least }: { takesCoin: boolean; least: Least },
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

/** What of its coin can be sent, with so much for the gas. */
export const restOf = ({ coin }: Holding, gas: bigint): bigint => coin - gas - LEFT;
