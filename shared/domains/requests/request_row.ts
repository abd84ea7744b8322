import type { Micros } from '../../kernel/money.ts';
import type { Refusal } from '../../kernel/refusal.ts';

/** One call by a key of an agent with its answer, or several with equal outcomes. */
export interface RequestRow {
  readonly agentId: number;
  readonly rootId: number;
  readonly interface: 'rest' | 'mcp';
  /** Null: several. */
  readonly operation: string | null;
  readonly status: number;
  readonly code: string | null;
  /** When it began, in ms since 1970; of several calls the last. */
  readonly at: number;
  /** Time to the answer; of several calls the mean. */
  readonly ms: number;
  /** Sum of its calls; null: their answers say none. */
  readonly cost: Micros | null;
  readonly calls: number;
  /** Null: several. */
  readonly requestId: string | null;
  readonly jobId: string | null;
  /** The answer, if it is an error. */
  readonly error: Refusal | string | null;
}
