import { beginningOf, labelled } from '../../kernel/text.ts';
import { digestWords, type DigestData } from './digest_texts.ts';
import { isNoticeKind, type MailKind, type StoppableKind } from './kinds.ts';
import type { MailWords } from './mail_words.ts';
import { NOTICE_TEXTS, type NoticeData } from './notices/notice_texts.ts';

/** The facts that the text of a mail is made of. Other parties wrote some of them. */
export interface MailData {
  readonly username: string;
  /** The address that a person wants to use from now on. */
  readonly address?: string;
  /** Notices to tell, the oldest first. */
  readonly notices?: readonly NoticeData[];
  /** Their causes, so that none is told twice. */
  readonly causes?: readonly string[];
  readonly digest?: DigestData;
}

/** Texts of a mail, as plain text and as HTML. */
interface MailText {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Mail {
  readonly kind: MailKind;
  readonly data: MailData;
  readonly publicUrl: string;
  /** The page that the mail leads to. */
  readonly link: string;
  readonly unsubscribeUrl: string | undefined;
}

const SUBJECT_CHARS_MAX = 150;
const LINE_CHARS_MAX = 500;

export function textOf({ kind, data, publicUrl, link, unsubscribeUrl }: Mail): MailText {
  const words = isNoticeKind(kind)
    ? NOTICE_TEXTS[kind](data.notices ?? [])
    : kind === 'digest'
      ? digestWords(data.digest!)
      : ACCOUNT_TEXTS[kind](data);
  const subject = oneLine(words.subject, SUBJECT_CHARS_MAX);
  const lines = [`Hello ${data.username},`, ...words.lines].map((one) =>
    oneLine(one, LINE_CHARS_MAX),
  );
  const host = new URL(publicUrl).host;
  const why = `This mail is about the account ${oneLine(data.username, 64)} at ${host}.`;
  const stop = unsubscribeUrl && `No more mails of this kind: ${unsubscribeUrl}`;
  const text = [...lines, `${words.label}: ${link}`, '-- ', why, ...(stop ? [stop] : [])];
  const html = [
    '<!doctype html><html lang="en"><meta charset="utf-8">',
    `<title>${escaped(subject)}</title><body>`,
    ...lines.map((one) => `<p>${escaped(one)}</p>`),
    `<p><a href="${escaped(link)}">${escaped(words.label)}</a></p><hr><p>${escaped(why)}</p>`,
    ...(unsubscribeUrl
      ? [`<p><a href="${escaped(unsubscribeUrl)}">No more mails of this kind</a></p>`]
      : []),
    '</body></html>',
  ];
  return { subject, text: `${text.join('\n\n')}\n`, html: `${html.join('\n')}\n` };
}

/** Text without line breaks, so that it begins no other header; hidden characters are named. */
function oneLine(text: string, charsMax: number): string {
  const shown = labelled(text, (codePoint) => `[${codePoint}]`).join('');
  const line = shown.replaceAll(/\s+/g, ' ').trim();
  return line.length > charsMax ? `${beginningOf(line, charsMax - 1)}…` : line;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (one) => ENTITIES[one]!);

const NOT_YOU = 'If that was not you, change your password and end the other sessions there.';

const ACCOUNT_TEXTS: Readonly<
  Record<Exclude<MailKind, StoppableKind>, (data: MailData) => MailWords>
> = {
  address_link: () => ({
    subject: 'Confirm your email address',
    lines: [
      'Open this link and press the button there to confirm that this address is yours. ' +
        'It works once, for 24 hours.',
      'If you did not ask for this, do nothing: without the button nothing changes.',
    ],
    label: 'Confirm the address',
  }),
  address_change: ({ address = '' }) => ({
    subject: 'Your email address is about to change',
    lines: [
      `Somebody who is signed in asked to use ${address} instead of this address. It changes ` +
        'when the link in the mail to that address is confirmed.',
      NOT_YOU,
    ],
    label: 'Your account',
  }),
  address_changed: ({ address = '' }) => ({
    subject: 'Your email address was changed',
    lines: [`Mails go to ${address} from now on, and no longer to this address.`, NOT_YOU],
    label: 'Your account',
  }),
  password_link: () => ({
    subject: 'Choose a new password',
    lines: [
      'Open this link to choose a new password. It works once, for one hour. All browsers are ' +
        'signed out then.',
      'If you did not ask for this, do nothing: your password stays as it is.',
    ],
    label: 'Choose a new password',
  }),
  password_reset: () => ({
    subject: 'Your password was changed',
    lines: [
      'A new password was chosen by a link that was mailed to this address. All browsers were ' +
        'signed out. API keys and limits are as they were.',
      'If that was not you, reset the password again, and look at your keys and withdrawals.',
    ],
    label: 'Sign in',
  }),
};
