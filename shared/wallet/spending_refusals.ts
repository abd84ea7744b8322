import type { RefusalCode } from '../kernel/refusal.ts';

/** Why money may not be spent, for the `refusals` of every operation that takes some. */
export const SPENDING_REFUSALS = [
  'insufficient_balance',
  'tx_limit_exceeded',
  'daily_limit_exceeded',
  'product_type_not_allowed',
  'agent_suspended',
  // Of a call that an owner had to approve.
  'approval_denied',
  'approval_cancelled',
  'approval_expired',
  'price_changed',
] as const satisfies readonly RefusalCode[];
