import { takesKey } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { CODES, type RefusalCode } from '../../shared/kernel/refusal.ts';

/**
 * Every code that a call of this operation may be refused with: those of its own rules, which it
 * declares, and those that follow from how it is called. In the order of the table of codes.
 */
export function refusalsOf(op: AnyOperation): readonly RefusalCode[] {
  const { access, ownerOf, rest = '', refusals = [] } = op;
  const isFree = access === 'public' || access === 'any' || access === 'operator';
  const possible = new Set<RefusalCode>([
    // A wrong key is refused where none is needed, too.
    'invalid_key',
    'validation_error',
    'rate_limited', // of operators: who sent wrong tokens
    'queue_overloaded',
    'service_unavailable',
    'internal_error',
    ...(access === 'public' ? [] : (['authentication_required'] as const)),
    ...(isFree ? [] : (['insufficient_scope'] as const)),
    ...(access === 'owner' ? (['forbidden'] as const) : []),
    ...(ownerOf === undefined ? [] : (['not_found'] as const)),
    ...(takesKey(op) ? (['idempotency_conflict'] as const) : []),
    // A body is read of whatever may change something, if one is sent.
    ...(rest.startsWith('GET ') ? [] : (['payload_too_large', 'request_timeout'] as const)),
    ...(op.costOf ? OF_PAYMENTS : []),
    ...refusals,
  ]);
  return CODE_NAMES.filter((code) => possible.has(code));
}

/** Of what can be paid for by x402. */
const OF_PAYMENTS: readonly RefusalCode[] = [
  'payment_required',
  'payment_invalid',
  'payment_failed',
  'payment_used',
  'payment_pending',
  'rail_unavailable',
];

const CODE_NAMES = Object.keys(CODES) as RefusalCode[];
