import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';

import { withLeastQuoting, type Address } from '../../../../shared/kernel/mail_address.ts';
import { meaningOf } from './reply_meaning.ts';
import {
  openSmtpSession,
  type ReplyTimes,
  type SmtpReply,
  type SmtpSession,
} from './smtp_session.ts';

/**
 * A mail server's answer about a mailbox. turned_away: it does not want to talk with us. undecided:
 * it accepts the mailbox, but may accept any, or says of any that it is full or disabled.
 * no_smtputf8: it takes no mail for international addresses (RFC 6531), so it was not asked.
 */
type MailboxCheck =
  | 'mailbox_accepted'
  | 'mailbox_refused'
  | 'mailbox_full'
  | 'mailbox_disabled'
  | 'catch_all'
  | 'greylisted'
  | 'turned_away'
  | 'undecided'
  | 'no_smtputf8';

interface Question {
  /** Sender in MAIL FROM; its domain is our name. */
  readonly from: string;
  readonly address: Address;
  /** Name of the mail server. */
  readonly host: string;
  readonly times: ReplyTimes;
  /** Called when the server has greeted us. */
  readonly onGreeting: () => void;
  /** Called after a refusal with whether the server accepts postmaster; absent: it is not asked. */
  readonly onPostmaster?: ((isAccepted: boolean) => void) | undefined;
}

/** Runs one SMTP session. Rejects if the server disconnects or breaks SMTP. */
export async function checkMailbox(
  socket: Socket,
  { from, address: written, host, times, onGreeting, onPostmaster }: Question,
): Promise<MailboxCheck> {
  const address = withLeastQuoting(written);
  const { local, domain } = address;
  const session = openSmtpSession(socket, times);
  if ((await session.greeting()).code !== 220) return 'turned_away';
  onGreeting();
  const isBeyondAscii = Buffer.byteLength(local) > local.length;
  const began = await begin(session, { from, host, isBeyondAscii });
  if (began !== 'begun') {
    await session.quit();
    return began;
  }
  const first = meaningOf(await session.send(`RCPT TO:<${local}@${domain}>`), address);
  // This mailbox cannot exist: what is said of it is said of every mailbox. A server that defers
  // unknown senders must have heard of it before, so its name is the same each time.
  const impossible = impossibleFor(address, from);
  if (first === 'greylisted') await session.send(`RCPT TO:<${impossible}@${domain}>`);
  if (first !== 'accepted' && !EXISTS.has(first)) {
    if (first === 'refused' && onPostmaster) {
      const postmaster = { local: 'postmaster', domain };
      const said = await session.send(`RCPT TO:<postmaster@${domain}>`);
      onPostmaster(meaningOf(said, postmaster) === 'accepted');
    }
    await session.quit();
    return CHECKS[first];
  }
  const reply = await session.send(`RCPT TO:<${impossible}@${domain}>`);
  const second = meaningOf(reply, { local: impossible, domain });
  await session.quit();
  if (first !== 'accepted') return second === first ? 'undecided' : CHECKS[first];
  if (second === 'accepted') return 'catch_all';
  return second === 'refused' ? 'mailbox_accepted' : 'undecided';
}

/** The name of a mailbox that nobody has, for this one and our sender. */
const impossibleFor = ({ local, domain }: Address, from: string): string =>
  `x${createHash('sha256').update(`${from} ${local}@${domain}`).digest('hex').slice(0, 18)}`;

/** Meanings that say that the mailbox exists, so that one which cannot exist has another. */
const EXISTS: ReadonlySet<string> = new Set(['full', 'disabled']);

const CHECKS = {
  refused: 'mailbox_refused',
  full: 'mailbox_full',
  disabled: 'mailbox_disabled',
  greylisted: 'greylisted',
  turned_away: 'turned_away',
  undecided: 'undecided',
} as const;

/** Sends EHLO and MAIL FROM; once more over TLS if the server asks for that. */
async function begin(
  session: SmtpSession,
  { from, host, isBeyondAscii }: { from: string; host: string; isBeyondAscii: boolean },
): Promise<'begun' | 'turned_away' | 'no_smtputf8'> {
  const name = from.slice(from.lastIndexOf('@') + 1);
  for (const isSecure of [false, true]) {
    let hello = await session.send(`EHLO ${name}`);
    if (hello.code >= 500) hello = await session.send(`HELO ${name}`);
    if (hello.code !== 250) return 'turned_away';
    const offers = (extension: string) =>
      new RegExp(`^250[ -]${extension}\\b`, 'im').test(hello.text);
    const canSecure = !isSecure && offers('STARTTLS');
    const isUnsupported = isBeyondAscii && !offers('SMTPUTF8');
    if (isUnsupported && !canSecure) return 'no_smtputf8';
    const parameter = isBeyondAscii ? ' SMTPUTF8' : '';
    const mail = isUnsupported ? undefined : await session.send(`MAIL FROM:<${from}>${parameter}`);
    if (mail?.code === 250) return 'begun';
    if (!canSecure || (mail && !wantsTls(mail))) return 'turned_away';
    if ((await session.send('STARTTLS')).code !== 220) return 'turned_away';
    await session.secure(host);
  }
  return 'turned_away';
}

/** "Must issue a STARTTLS command first" (RFC 3207 §4), or "encryption needed" (RFC 5248). */
const wantsTls = ({ code, text }: SmtpReply): boolean =>
  code === 530 || /^[45]\d\d[ -][45]\.7\.10\b/m.test(text);
