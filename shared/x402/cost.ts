import type { Micros } from '../ledger/money.ts';

/** What something costs that can be paid for by x402. */
export interface Cost {
  readonly amount: Micros;
  /** Credit of the wallet does not pay for it. */
  readonly isCashOnly?: boolean;
}
