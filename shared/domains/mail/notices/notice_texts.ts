import { beginningOf } from '../../../kernel/text.ts';
import type { NoticeKind } from '../kinds.ts';
import type { MailWords } from '../mail_words.ts';

/** The facts of one notice. */
export interface NoticeData {
  /** Type of the event, or `sign_in`. */
  readonly type: string;
  readonly at: string;
  /** Name of the agent that it is about. */
  readonly agent?: string | undefined;
  readonly amount?: number | undefined;
  readonly limit?: number | undefined;
  readonly reason?: string | undefined;
  /** Calls of an hour, and errors among them. */
  readonly calls?: number | undefined;
  readonly errors?: number | undefined;
  /** Number of its object. */
  readonly id: number;
}

const LISTED_MAX = 20;
const NAME_CHARS_MAX = 80;
const REASON_CHARS_MAX = 100;

const usd = (amount = 0) => `$${amount.toFixed(2)}`;
const nameOf = ({ agent = 'Your account' }: NoticeData) => beginningOf(agent, NAME_CHARS_MAX);
const timeOf = ({ at }: NoticeData) => `${at.slice(0, 16).replace('T', ' ')} UTC`;

interface NoticeWords {
  readonly one: (notice: NoticeData) => string;
  readonly several: (count: number) => string;
  readonly line: (notice: NoticeData) => string;
  readonly label: string;
}

/** The words for notices that are told together. */
const wordsOf =
  ({ one, several, line, label }: NoticeWords) =>
  (notices: readonly NoticeData[]): MailWords => {
    const left = notices.length - LISTED_MAX;
    return {
      subject: notices.length === 1 ? one(notices[0]!) : several(notices.length),
      lines: [
        ...notices.slice(0, LISTED_MAX).map((notice) => `${timeOf(notice)}: ${line(notice)}`),
        ...(left > 0 ? [`And ${left} more.`] : []),
      ],
      label,
    };
  };

const WITHDRAWAL_STATES: Readonly<Record<string, string>> = {
  'withdrawal.requested': 'was requested. Until it is sent you can cancel it',
  'withdrawal.paid': 'was paid',
  'withdrawal.failed': 'failed, and the money is back in your wallet',
};

const FAILED_PAYMENTS: Readonly<Record<string, string>> = {
  'wallet.recharge_failed': 'your card was not charged by auto-recharge',
  'wallet.auto_recharge_off': 'auto-recharge was turned off after three failures',
  'deposit.rejected': 'a payment was not taken',
  'deposit.reversed': 'a payment was taken back',
};

export const NOTICE_TEXTS: Readonly<
  Record<NoticeKind, (notices: readonly NoticeData[]) => MailWords>
> = {
  approval: wordsOf({
    one: (notice) => `${nameOf(notice)} asks to spend ${usd(notice.amount)}`,
    several: (count) => `${count} requests wait for your approval`,
    line: (notice) => `${nameOf(notice)} asks to spend ${usd(notice.amount)}.`,
    label: 'Approve or deny',
  }),
  spend: wordsOf({
    one: (notice) => `${nameOf(notice)} has spent ${usd(notice.amount)} today`,
    several: (count) => `${count} agents are near their daily limits`,
    line: (notice) =>
      `${nameOf(notice)} has spent ${usd(notice.amount)} of ${usd(notice.limit)} a day.`,
    label: 'Look at your agents',
  }),
  withdrawal: wordsOf({
    one: (notice) => `Withdrawal of ${usd(notice.amount)}`,
    several: () => 'Withdrawals from your wallet',
    line: (notice) =>
      `withdrawal ${notice.id} of ${usd(notice.amount)} ${WITHDRAWAL_STATES[notice.type]}.`,
    label: 'Your withdrawals',
  }),
  sign_in: wordsOf({
    one: () => 'New sign-in to your account',
    several: () => 'New sign-ins to your account',
    line: () =>
      'somebody signed in from a browser that was not signed in before. If that was not you, ' +
      'change your password and end that session.',
    label: 'Where you are signed in',
  }),
  payment_failed: wordsOf({
    one: () => 'A payment failed',
    several: (count) => `${count} payments failed`,
    line: (notice) => `${FAILED_PAYMENTS[notice.type]}${reasonOf(notice)}.`,
    label: 'Look at your wallet',
  }),
  calls: wordsOf({
    one: ({ type, calls = 0, errors = 0, amount }) =>
      type === 'agent.calls_failing'
        ? `${errors} of ${calls} calls of your agents failed`
        : `The calls of your agents cost ${usd(amount)} in an hour`,
    several: () => 'Calls of your agents fail or cost much',
    line: ({ type, calls = 0, errors = 0, amount }) =>
      type === 'agent.calls_failing'
        ? `${errors} of ${calls} calls in an hour were answered by an error.`
        : `${calls} calls in an hour cost ${usd(amount)}.`,
    label: 'Look at the requests',
  }),
};

const reasonOf = ({ reason }: NoticeData) =>
  reason ? ` (${beginningOf(reason, REASON_CHARS_MAX)})` : '';
