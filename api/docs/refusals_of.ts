import { takesKey } from '../../shared/kernel/call.ts';
import type { AnyOperation } from '../../shared/kernel/operation.ts';
import { CODES, type RefusalCode } from '../../shared/kernel/refusal.ts';

/**
 * Every code that a call of this operation may be refused with: those of its own rules, which it
 * declares, and those that follow from how it is called. In the order of the table of codes.
 */
export function refusalsOf(op: AnyOperation): readonly RefusalCode[] {
  const { access, owners, rest = '', refusals = [] } = op;
  const isFree = access === 'public' || access === 'any' || access === 'operator';
  const possible = new Set<RefusalCode>([
    // A wrong key is refused even where no key is needed.
    'invalid_key',
    'validation_error',
    'rate_limited', // operators, after too many wrong tokens
    'queue_overloaded',
    'service_unavailable',
    'internal_error',
    ...(access === 'public' ? [] : (['authentication_required'] as const)),
    ...(isFree ? [] : (['insufficient_scope'] as const)),
    ...(access === 'owner' ? (['forbidden'] as const) : []),
    ...(owners?.ownerOf === undefined ? [] : (['not_found'] as const)),
    ...(takesKey(op) ? (['idempotency_conflict'] as const) : []),
    // Every method that may change something reads its body, if one is sent.
    ...(rest.startsWith('GET ') ? [] : OF_BODIES),
    ...(op.paid ? OF_PAYMENTS : []),
    ...refusals,
  ]);
  return CODE_NAMES.filter((code) => possible.has(code));
}

/** Codes of a body, whatever it says. */
const OF_BODIES: readonly RefusalCode[] = [
  'payload_too_large',
  'unsupported_encoding',
  'request_timeout',
];

/** Codes of operations that can be paid for by x402. */
const OF_PAYMENTS: readonly RefusalCode[] = [
  'payment_required',
  'payment_invalid',
  'payment_failed',
  'payment_used',
  'payment_pending',
  'rail_unavailable',
];

const CODE_NAMES = Object.keys(CODES) as RefusalCode[];
