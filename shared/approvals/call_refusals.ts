import type { RefusalCode } from '../kernel/refusal.ts';

/** How a call ends that was not approved, for the `refusals` of every operation that may wait. */
export const CALL_REFUSALS = [
  'approval_denied',
  'approval_cancelled',
  'approval_expired',
] as const satisfies readonly RefusalCode[];
