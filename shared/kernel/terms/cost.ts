import type { Micros } from '../money.ts';

/** The cost of a call that can be paid by x402. */
export interface Cost {
  readonly amount: Micros;
  /** Whether credit cannot pay for it. */
  readonly isCashOnly?: boolean;
}

/**
 * The minimum and the maximum cost of a call, for documents that list paid calls. Without a
 * maximum: any amount.
 */
export interface CostRange {
  readonly min: Micros;
  readonly max?: Micros;
}
