/** Our side of a network that tokens are issued on, with our wallet that issues them. */
export interface TokenGateway {
  issuer(): Promise<Issuer>;
  /**
   * Number of NFTs in the contract: the next NFT has the number after that. Throws if the contract
   * no longer has its original program.
   */
  supplyOf(contract: number): Promise<number>;
  /** Whether the address has opted in to the asset, so that it can get some. */
  hasOptedIn(asset: number, address: string): Promise<boolean>;
  /** Signs the transaction of a token, and sends nothing. `key` is the same in every attempt. */
  sign(order: TokenOrder, key: string): Promise<SignedToken>;
  /** Signs the transactions of NFTs, which pass or fail together, and sends nothing. */
  mint(contract: number, nfts: readonly Nft[]): Promise<SignedGroup>;
  /** Sends signed bytes, any number of times. Resolves with the network's message if it refuses. */
  send(bytes: string): Promise<string | undefined>;
  /** Finds the state of the transactions that were signed for the token of `key`. */
  fateOf(txIds: readonly string[], key: string): Promise<TokenState>;
}

export interface Issuer {
  readonly address: string;
  /** Balance above its minimum, in micro-ALGO or lamports. */
  readonly spendable: bigint;
}

export type TokenOrder =
  | {
      readonly kind: 'asa';
      readonly name: string;
      readonly unitName: string;
      /** Number of smallest units. */
      readonly totalSupply: bigint;
      readonly decimals: number;
    }
  | { readonly kind: 'contract' }
  | {
      /** A transfer of an asset to its issuer. */
      readonly kind: 'claim';
      /** Id of the asset on Algorand. */
      readonly asset: number;
      readonly amount: bigint;
      readonly address: string;
    }
  | {
      /** A group of Token-2022, without members. */
      readonly kind: 'collection';
      readonly name: string;
      readonly symbol: string;
      readonly uri: string;
    };

/** Whatever is issued. */
export type TokenKind = TokenOrder['kind'] | 'nft';

export interface Nft {
  /** The same in every attempt. */
  readonly key: string;
  /** Its number in the contract. */
  readonly number: number;
  /** The first owner. */
  readonly address: string;
  readonly uri: string;
}

/** The transactions of NFTs, in their order, and the bytes of all of them. */
interface SignedGroup extends Pick<SignedToken, 'bytes' | 'lastValid'> {
  readonly txIds: readonly string[];
}

export interface SignedToken {
  /** Id of the transaction that issues it. */
  readonly txId: string;
  /** That transaction and those it needs, which pass or fail together; base64. */
  readonly bytes: string;
  /** Last round in which the network accepts it; on Solana, the last block height. */
  readonly lastValid: number;
}

/**
 * The state of a token. confirmed: final, in a round or slot; `id` is that of the asset or the
 * application, or the address of a collection. unknown: no provider knows any of its transactions,
 * and all have seen all rounds, or heights, up to `asOf`.
 */
export type TokenState =
  | {
      readonly status: 'confirmed';
      readonly txId: string;
      readonly round: number;
      readonly id: number | string;
    }
  | { readonly status: 'unknown'; readonly asOf: number };

/** Maximum cost of issuing one, in micro-ALGO or lamports: fees and the minimum balance it adds. */
export const COSTS: Readonly<Record<TokenKind, bigint>> = {
  asa: 101_000n,
  nft: 300_000n,
  contract: 130_000n,
  claim: 1_000n,
  collection: 6_500_000n,
};
