import { CALL_REFUSALS } from '../approvals/call_refusals.ts';
import type { RefusalCode } from '../../kernel/refusal.ts';

/** Codes of refused spends, for the `refusals` of every operation that takes money. */
export const SPENDING_REFUSALS = [
  'insufficient_balance',
  'tx_limit_exceeded',
  'daily_limit_exceeded',
  'product_type_not_allowed',
  'agent_suspended',
  ...CALL_REFUSALS,
  'price_changed',
] as const satisfies readonly RefusalCode[];
