/** Kinds of notices to an owner that has proven its address and has not turned them off. */
export const NOTICE_KINDS = [
  'approval',
  'spend',
  'withdrawal',
  'sign_in',
  'payment_failed',
  'calls',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

/** Mails about the account itself, which cannot be turned off. */
const ACCOUNT_KINDS = [
  'address_link',
  'address_change',
  'address_changed',
  'password_link',
  'password_reset',
] as const;

export const MAIL_KINDS = [...NOTICE_KINDS, 'digest', ...ACCOUNT_KINDS] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

/** Kinds of mails that an owner can stop. A digest comes to owners who have asked for it. */
export type StoppableKind = NoticeKind | 'digest';

export const isStoppable = (kind: string): kind is StoppableKind =>
  kind === 'digest' || isNoticeKind(kind);

export const isNoticeKind = (kind: string): kind is NoticeKind =>
  NOTICE_KINDS.some((one) => one === kind);
