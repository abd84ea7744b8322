import type { NoticeKind } from '../../../shared/domains/mail/kinds.ts';

/** Kinds of notices as people choose them. */
export const NOTICE_LABELS: Readonly<Record<NoticeKind, string>> = {
  approval: 'An agent asks for approval',
  spend: 'An agent has spent 80 % of its daily limit',
  withdrawal: 'Withdrawals',
  sign_in: 'A sign-in from a new browser',
  payment_failed: 'A payment failed or was taken back',
};
