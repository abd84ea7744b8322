import type { Micros } from '../ledger/money.ts';

/** What something costs that can be paid for by x402. */
export interface Cost {
  readonly amount: Micros;
  /** Credit of the wallet does not pay for it. */
  readonly isCashOnly?: boolean;
}

/**
 * What a call costs at least and at most, for documents that list what is for sale. Without a most:
 * any amount.
 */
export interface CostRange {
  readonly min: Micros;
  readonly max?: Micros;
}
