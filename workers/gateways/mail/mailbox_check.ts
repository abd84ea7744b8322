import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';

import type { Address } from '../../../shared/email/address.ts';
import { openSmtpSession, type SmtpReply } from './smtp_session.ts';

/**
 * What a mail server replies about a mailbox. turned_away: it does not want to talk with us.
 * undecided: it accepts the mailbox, and does not say whether it would refuse any.
 */
export type MailboxCheck =
  'mailbox_accepted' | 'mailbox_refused' | 'catch_all' | 'greylisted' | 'turned_away' | 'undecided';

/** One SMTP session, as the sender `from`. Rejects when the server disconnects or breaks SMTP. */
export async function checkMailbox(
  socket: Socket,
  { from, address: { local, domain } }: { from: string; address: Address },
): Promise<MailboxCheck> {
  const session = openSmtpSession(socket);
  if ((await session.read()).code !== 220) return 'turned_away';
  const name = from.slice(from.lastIndexOf('@') + 1);
  let hello = await session.send(`EHLO ${name}`);
  if (hello.code >= 500) hello = await session.send(`HELO ${name}`);
  if (hello.code !== 250) return 'turned_away';
  const isBeyondAscii = Buffer.byteLength(local) > local.length;
  if (isBeyondAscii && !/^250[ -]SMTPUTF8/im.test(hello.text)) return 'mailbox_refused';
  const mail = await session.send(`MAIL FROM:<${from}>${isBeyondAscii ? ' SMTPUTF8' : ''}`);
  if (mail.code !== 250) return 'turned_away';

  const first = meaningOf(await session.send(`RCPT TO:<${local}@${domain}>`), local);
  if (first !== 'accepted') {
    await session.quit();
    return first === 'refused' ? 'mailbox_refused' : first;
  }
  // This mailbox cannot exist: a server that accepts it accepts every mailbox.
  const impossible = `x${randomBytes(9).toString('hex')}`;
  const second = meaningOf(await session.send(`RCPT TO:<${impossible}@${domain}>`), impossible);
  await session.quit();
  if (second === 'accepted') return 'catch_all';
  return second === 'refused' ? 'mailbox_accepted' : 'undecided';
}

/**
 * "No such mailbox" is about the mailbox; a policy, or a list that we are on, is about us. An
 * enhanced status code (RFC 3463) decides before words do, and words of the mailbox's own name,
 * which servers repeat, say nothing.
 */
function meaningOf(
  { code, text }: SmtpReply,
  local: string,
): 'accepted' | 'refused' | 'greylisted' | 'turned_away' {
  if (code >= 200 && code < 300) return 'accepted';
  if (code === 421) return 'turned_away';
  const words = withoutName(text.toLowerCase(), local.toLowerCase());
  if (code >= 400 && code < 500) return ABOUT_US_NOW.test(words) ? 'turned_away' : 'greylisted';
  if (/^5\d\d[ -]5\.[12]\.\d/m.test(text)) return 'refused';
  return ABOUT_US.test(words) ? 'turned_away' : 'refused';
}

/** Without the words that are the mailbox or its address. */
const withoutName = (text: string, local: string) =>
  text.replaceAll(/[^\s<>()"':;,]+/g, (word) =>
    word.replace(/\.$/, '') === local || word.startsWith(`${local}@`) ? '' : word,
  );

const ABOUT_US = /\b[45]\.7\.\d|\b(block|black|deny|denied|rbl|spam|reputation|policy)/;
/** Of a temporary refusal: greylisting too is a policy (4.7.1), a blocklist is more than that. */
const ABOUT_US_NOW = /\b(block|black|rbl|spam|reputation)/;
