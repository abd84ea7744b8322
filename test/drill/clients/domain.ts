import type { Comparison } from '../comparison.ts';
import type { Market } from './market.ts';
import type { Trader } from './trader.ts';

/**
 * Actions of clients of one domain of the market in a drill, and what they compare. A domain is
 * one file of this folder, listed in `workload.ts`.
 */
export interface Domain {
  readonly by: 'buyers' | 'sellers';
  /** The actions of one agent. */
  open(trader: Trader, market: Market): Trade;
}

export interface Trade {
  readonly steps: readonly Step[];
  /** Its money in escrow now, in micro-dollars; undefined: it is not known now. */
  held?(): number | undefined;
  /**
   * Compares what the client was told with the database. When it is called, nothing is in flight
   * and no call is in doubt.
   */
  compare(comparison: Comparison): Promise<void>;
}

/** One or a few calls, and what the client expects after them. */
export interface Step {
  /** How often it is chosen. */
  readonly weight: number;
  run(): Promise<void>;
}
