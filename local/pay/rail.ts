import type { Market } from './market.ts';

/** Arguments of `npm run pay -- <rail> <amount>`. */
interface PayRequest {
  /** Amount in dollars, or in the unit that the usage of the rail names. */
  readonly amount: number;
  /** Options of the rail by name, such as `--card 4000000000000002`. */
  readonly options: Readonly<Record<string, string | undefined>>;
}

/** One way to pay. Each has a file of its own, and a line in pay.ts. */
export interface PayRail {
  readonly name: string;
  /** Its options, for the usage. */
  readonly usage: string;
  /**
   * Asks the marketplace where to pay and pays there, with play money. Reports each step. Throws
   * NotPaid with the reason if it fails.
   */
  readonly pay: (market: Market, request: PayRequest, say: (line: string) => void) => Promise<void>;
}
