import type { NoticeKind, StoppableKind } from '../../../shared/domains/mail/kinds.ts';

/** Kinds of notices as people choose them. */
export const NOTICE_LABELS: Readonly<Record<NoticeKind, string>> = {
  approval: 'An agent asks for approval',
  spend: 'An agent has spent 80 % of its daily limit',
  withdrawal: 'Withdrawals',
  sign_in: 'A sign-in from a new browser',
  payment_failed: 'A payment failed or was taken back',
  calls: 'Many calls fail or cost much, as set on Requests',
};

/** The mails that a link in one of them stops. */
export const stoppedLabel = (kind: StoppableKind): string =>
  kind === 'digest' ? 'Summaries of your agents' : NOTICE_LABELS[kind];
