import type { Tier } from '../kernel/rate_limit.ts';
import type { Scope } from './agents.ts';

/** The agent that a key proves, with what the key allows. */
export interface Caller {
  readonly agentId: number;
  /** The root of its tree, whose treasury it spends from and earns into. */
  readonly rootId: number;
  /** Which of its keys; 0 where there was none. */
  readonly keyId: number;
  /** Of a person in the console: its web session, in place of a key. */
  readonly sessionId?: number;
  readonly scopes: readonly Scope[];
  /** Of its tree, as it was within the last minute. A worker does not know it. */
  readonly tier?: Tier;
  /** The address whose payment by x402 proves it, where no key does. */
  readonly payer?: string;
  /** The name of the operator, where one calls. */
  readonly operator?: string;
}

/** No agent has the id 0: it stands for the platform, its timers and its operators. */
export const PLATFORM: Caller = Object.freeze({ agentId: 0, rootId: 0, keyId: 0, scopes: [] });
