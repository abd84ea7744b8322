import type { Tier } from './rate_limit.ts';

/** Permissions that a key may have. */
export const SCOPES = ['read', 'buy', 'sell'] as const;
export type Scope = (typeof SCOPES)[number];

/** The agent that a key proves, with what the key allows. */
export interface Caller {
  readonly agentId: number;
  /** The root of its tree, whose treasury it spends from and earns into. */
  readonly rootId: number;
  /** Id of the key that was used; 0: no key. */
  readonly keyId: number;
  /** The web session of a person in the console, who has no key. */
  readonly sessionId?: number;
  readonly scopes: readonly Scope[];
  /** The tier of its tree, at most a minute old. A worker does not know it. */
  readonly tier?: Tier;
  /** The address that paid by x402, if a payment proves the caller instead of a key. */
  readonly payer?: string;
  /** Name of the operator, if the caller is one. */
  readonly operator?: string;
}

/** No agent has the id 0: it stands for the platform, its timers and its operators. */
export const PLATFORM: Caller = Object.freeze({ agentId: 0, rootId: 0, keyId: 0, scopes: [] });
