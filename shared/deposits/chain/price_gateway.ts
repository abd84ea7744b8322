/** The prices of assets, as sources outside say them. */
export interface PriceGateway {
  /**
   * What a whole unit of it is worth in dollars: the median of at least two sources that agree,
   * none of them older than allowed. Throws Unpriced when there is none.
   */
  priceOf(sign: string): Promise<Price>;
}

export interface Price {
  /** A decimal number. */
  readonly price: string;
  /** Which sources it is the median of, as `coinbase kraken`. */
  readonly source: string;
  /** The oldest of theirs. */
  readonly at: Date;
}

/** There is no price now that may be used. The message says why, for an operator. */
export class Unpriced extends Error {}
