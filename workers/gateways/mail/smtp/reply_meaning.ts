import type { Address } from '../../../../shared/kernel/mail_address.ts';
import { ABOUT_MAILBOX, MICROSOFT_REFUSES, type MailboxState } from './mailbox_words.ts';
import { ABOUT_OTHERS, AN_ADDRESS, GREYLISTED, type Other } from './other_words.ts';
import { statementsOf } from './reply_statements.ts';
import type { SmtpReply } from './smtp_session.ts';

/**
 * The meaning of a reply to RCPT TO. turned_away: it is about us, not the mailbox. undecided: it
 * decides nothing for now.
 */
type ReplyMeaning =
  'accepted' | 'refused' | 'full' | 'disabled' | 'greylisted' | 'turned_away' | 'undecided';

/**
 * Reads a reply to RCPT TO for this address: weighs what speaks of the mailbox (its words, its
 * enhanced status code, its code) against what speaks of somebody else: the sender, our host, a
 * list, our rate, the message, the server itself. Only what is more about the mailbox than about
 * all others says something of it, because callers pay for that.
 */
export function meaningOf(reply: SmtpReply, address: Address): ReplyMeaning {
  const { code } = reply;
  if (code >= 200 && code < 300) return 'accepted';
  if (code === 421) return 'turned_away'; // It closes the connection, whatever was asked.
  const { status, words } = statementsOf(reply.text, address);
  if (status === '5.4.1' && MICROSOFT_REFUSES.test(words)) return 'refused';
  const mailbox = mailboxIn(words);
  const others = othersIn(mailbox.rest);
  const byStatus = STATUSES.find(({ codes }) => codes.test(status));
  const byCode = CODES[code];
  const forMailbox = mailbox.weight + (byStatus?.mailbox ?? 0) + (byCode?.weight ?? 0);
  const forCommand = code >= 500 && code <= 504 ? 4 : 0; // It was not understood.
  const forOthers = others.weight + (byStatus?.others ?? 0) + forCommand;
  const isAboutMailbox = forMailbox >= WEIGHT_MIN && forMailbox > forOthers;
  const state = mailbox.state ?? byStatus?.state ?? byCode?.state;
  if (code >= 400 && code < 500) {
    if (isAboutMailbox && state === 'full') return 'full';
    if (GREYLISTED.test(words) && !others.found.has('list')) return 'greylisted';
    return isOfUs(others.found) && !status.startsWith('4.2.') ? 'turned_away' : 'undecided';
  }
  if (isAboutMailbox) return state ?? 'undecided';
  // Else one reply that we cannot read would keep everybody from asking there for a while.
  return forOthers > 0 ? 'turned_away' : 'undecided';
}

/** Less is no statement: 1 is a bare code, 2 "mailbox unavailable", which may mean anything. */
const WEIGHT_MIN = 3;

/** The weight of enhanced status codes (RFC 3463, RFC 5248, RFC 7504). The first one counts. */
const STATUSES: readonly {
  readonly codes: RegExp;
  readonly state?: MailboxState;
  readonly mailbox?: number;
  readonly others?: number;
}[] = [
  { codes: /^5\.1\.([136]|10)$/, state: 'refused', mailbox: 3 },
  { codes: /^5\.1\.0$/, mailbox: 1 },
  { codes: /^5\.2\.1$/, state: 'disabled', mailbox: 3 },
  { codes: /^[45]\.2\.2$/, state: 'full', mailbox: 3 },
  { codes: /^5\.7\.13$/, mailbox: 1 }, // Of the recipient's account, or of the sender's.
  { codes: /^5\.[35]\./, others: 1 }, // Often said of a mailbox all the same.
  { codes: /^5\.(1\.[278]|2\.[34]|4\.|6\.|7\.)/, others: 3 },
];

/** The weight of reply codes (RFC 5321 §4.2.3, RFC 7504). */
const CODES: Readonly<Record<number, { readonly weight: number; readonly state: MailboxState }>> = {
  550: { weight: 1, state: 'refused' },
  551: { weight: 1, state: 'refused' },
  553: { weight: 1, state: 'refused' },
  552: { weight: 1, state: 'full' },
  556: { weight: 3, state: 'refused' },
};

/** The strongest statement about the mailbox, and the words without all of them. */
function mailboxIn(words: string) {
  let rest = words;
  let weight = 0;
  let state: MailboxState | undefined;
  for (const about of ABOUT_MAILBOX) {
    const left = rest.replace(about.words, ' ');
    if (left === rest) continue;
    rest = left;
    weight = Math.max(weight, about.weight);
    state ??= about.state;
  }
  return { state, weight, rest };
}

function othersIn(words: string) {
  const about = ABOUT_OTHERS.filter(({ words: theirs }) => theirs.test(words));
  const named = AN_ADDRESS.test(words) ? 2 : 0;
  return {
    found: new Set(about.map(({ other }) => other)),
    weight: about.reduce((sum, { weight }) => sum + weight, named),
  };
}

/** Whether anything is said of us, so that the server wants to be left alone. */
const isOfUs = (found: ReadonlySet<Other>): boolean => found.size > (found.has('server') ? 1 : 0);
