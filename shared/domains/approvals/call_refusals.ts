import type { RefusalCode } from '../../kernel/refusal.ts';

/** Refusals of calls that were not approved, for the `refusals` of operations that may wait. */
export const CALL_REFUSALS = [
  'approval_denied',
  'approval_cancelled',
  'approval_expired',
] as const satisfies readonly RefusalCode[];
