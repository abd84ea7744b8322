/** The network that tokens are issued on, and the wallet of ours that issues them. */
export interface TokenGateway {
  issuer(): Promise<Issuer>;
  /**
   * How many NFTs the contract has: the next one has the number after that. Throws if it is not
   * the program that it was made with.
   */
  supplyOf(contract: number): Promise<number>;
  /** Signs what issues it, and sends nothing. `key` is of the token, in every attempt. */
  sign(order: TokenOrder, key: string): Promise<SignedToken>;
  /** Sends what was signed, however often. What the network says that does not take it. */
  send(bytes: string): Promise<string | undefined>;
  /** What became of the transactions that were signed for one token, of which `key` is. */
  fateOf(txIds: readonly string[], key: string): Promise<TokenFate>;
}

export interface Issuer {
  readonly address: string;
  /** What it has above its minimum balance, in micro-ALGO or lamports. */
  readonly spendable: bigint;
}

export type TokenOrder =
  | {
      readonly kind: 'asa';
      readonly name: string;
      readonly unitName: string;
      /** In the smallest units. */
      readonly totalSupply: bigint;
      readonly decimals: number;
    }
  | {
      readonly kind: 'nft';
      /** The id of the application. */
      readonly contract: number;
      readonly number: number;
      /** Who gets it. */
      readonly address: string;
      readonly uri: string;
    }
  | { readonly kind: 'contract' }
  | {
      /** A group of Token-2022, without members. */
      readonly kind: 'collection';
      readonly name: string;
      readonly symbol: string;
      readonly uri: string;
    };

export interface SignedToken {
  /** Of the transaction that issues it. */
  readonly txId: string;
  /** Of that and of those that it needs, which pass or fail together; base64. */
  readonly bytes: string;
  /** The network takes it in no later round; of Solana, in no block of a greater height. */
  readonly lastValid: number;
}

/**
 * confirmed: it is there for good, in `round` or slot. id: of the asset or the application; of a
 * collection its address. unknown: nobody who was asked knows any of the transactions, and all of
 * them have seen all rounds, or heights, up to `asOf`.
 */
export type TokenFate =
  | {
      readonly status: 'confirmed';
      readonly txId: string;
      readonly round: number;
      readonly id: number | string;
    }
  | { readonly status: 'unknown'; readonly asOf: number };

/**
 * What issuing one takes from the wallet at most, in micro-ALGO or lamports: fees, and what it must
 * keep.
 */
export const COSTS: Readonly<Record<TokenOrder['kind'], bigint>> = {
  asa: 101_000n,
  nft: 300_000n,
  contract: 130_000n,
  collection: 6_500_000n,
};
