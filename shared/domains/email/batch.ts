import type { Refusal, RefusalCode } from '../../kernel/refusal.ts';
import { OneOf, Output } from '../../kernel/schema.ts';
import { NOTHING, VERDICTS, type Finding } from './findings.ts';
import { NOT_ASKED } from './mailbox.ts';
import { RESULT, traitsOf } from './validation.ts';

/** Reasons for which an address of a batch has no answer, besides those of validate_email. */
const REASONS = [
  'insufficient_balance',
  'daily_limit_exceeded',
  'tx_limit_exceeded',
  'product_type_not_allowed',
  'agent_suspended',
  'internal_error',
] as const satisfies readonly RefusalCode[];

/** One address of a batch. */
export const BatchResult = Output('BatchValidation', {
  ...RESULT,
  status: OneOf(
    ['deliverable', 'risky', 'undeliverable', 'unknown', 'unpaid'],
    'Status as in validate_email. unpaid: not validated, because money or a limit ran out.',
  ),
  sub_status: OneOf(
    [...(Object.keys(VERDICTS) as Finding[]), ...REASONS],
    'Reason for the status.',
  ),
});

/** The result of an address that was not validated, free of charge. */
export const unanswered = (email: string, reason: (typeof REASONS)[number], now: Date) => ({
  email: email.trim(),
  valid: false,
  deliverable: false,
  disposable: false,
  mx_found: false,
  score: 0.5,
  status: reason === 'internal_error' ? ('unknown' as const) : ('unpaid' as const),
  sub_status: reason,
  ...traitsOf('', NOTHING),
  ...NOT_ASKED,
  smtp_banner_seen: false,
  checked_at: now.toISOString(),
  cached: false,
  charged: 0,
});

/** The reason for a refused charge. */
export const reasonOf = (refusal: Refusal | undefined) =>
  REASONS.find((reason) => reason === refusal?.code) ?? 'internal_error';
