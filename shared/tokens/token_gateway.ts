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
  /** What became of the transactions that were signed for one token. */
  fateOf(txIds: readonly string[]): Promise<TokenFate>;
}

export interface Issuer {
  readonly address: string;
  /** What it has above its minimum balance, in micro-ALGO. */
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
  | { readonly kind: 'contract' };

export interface SignedToken {
  /** Of the transaction that issues it. */
  readonly txId: string;
  /** Of that and of those that it needs, which pass or fail together; base64. */
  readonly bytes: string;
  /** The network takes it in no later round. */
  readonly lastValid: number;
}

/**
 * confirmed: it is there for good. id: of the asset or the application. unknown: neither the node
 * nor an indexer knows any of the transactions, and both have seen all rounds up to `asOf`.
 */
export type TokenFate =
  | {
      readonly status: 'confirmed';
      readonly txId: string;
      readonly round: number;
      readonly id: number;
    }
  | { readonly status: 'unknown'; readonly asOf: number };

/** What issuing one takes from the wallet at most, in micro-ALGO: fees, and what it must keep. */
export const COSTS: Readonly<Record<TokenOrder['kind'], bigint>> = {
  asa: 101_000n,
  nft: 300_000n,
  contract: 130_000n,
};
