/** Prices of assets from outside sources. */
export interface PriceGateway {
  /**
   * The price of a whole unit in dollars: the median of at least two sources that agree, none older
   * than allowed. Throws Unpriced when there is none.
   */
  priceOf(sign: string): Promise<Price>;
}

export interface Price {
  /** A decimal number. */
  readonly price: string;
  /** Sources of the median, as `coinbase kraken`. */
  readonly source: string;
  /** Time of the oldest of their prices. */
  readonly at: Date;
}

/** No usable price now. The message gives the reason, for an operator. */
export class PriceUnavailable extends Error {}
