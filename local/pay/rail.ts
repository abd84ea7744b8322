import type { Market } from './market.ts';

/** What `npm run pay -- <rail> <amount>` was called with. */
export interface PayRequest {
  /** Dollars, or what the usage of the rail says. */
  readonly amount: number;
  /** Of the rail, as `--card 4000000000000002`, by name. */
  readonly options: Readonly<Record<string, string | undefined>>;
}

/** One way to pay. Each has a file of its own, and a line in pay.ts. */
export interface PayRail {
  readonly name: string;
  /** Its options, for the usage. */
  readonly usage: string;
  /**
   * Asks the marketplace where to pay and pays there, with play money. Says what it does. Throws
   * NotPaid with the reason when it is not paid.
   */
  readonly pay: (market: Market, request: PayRequest, say: (line: string) => void) => Promise<void>;
}
