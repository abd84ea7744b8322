import type { Address } from '../../../../shared/kernel/mail_address.ts';
import type { SmtpReply } from './smtp_session.ts';

/**
 * The meaning of a reply to RCPT TO. turned_away: it is about us, not the mailbox. undecided: it
 * decides nothing for now.
 */
type ReplyMeaning =
  'accepted' | 'refused' | 'full' | 'disabled' | 'greylisted' | 'turned_away' | 'undecided';

/**
 * Reads a reply to RCPT TO for this address. An enhanced status code (RFC 3463, RFC 5248) decides
 * before words do. Names that the server repeats do not count as words: an address, or the local
 * part or the domain of this one.
 */
export function meaningOf(reply: SmtpReply, address: Address): ReplyMeaning {
  const { code, text } = reply;
  if (code >= 200 && code < 300) return 'accepted';
  if (code === 421) return 'turned_away'; // It closes the connection, whatever was asked.
  const words = wordsOf(text, address);
  const [, status = ''] = /^[45]\d\d[ -]([45]\.\d{1,3}\.\d{1,3})(?!\S)/m.exec(text) ?? [];
  if (code >= 400 && code < 500) return temporaryMeaning(status, words);
  return byStatus(status, words) ?? byWords(code, words);
}

/** Greylisting has no code of its own (RFC 6647 §2), so a deferral must look like it. */
function temporaryMeaning(status: string, words: string): ReplyMeaning {
  if (status === '4.2.2') return 'full';
  if (ABOUT_US_NOW.test(words)) return 'turned_away';
  if (status === '' && FULL.test(words)) return 'full';
  if (/^4\.[3456]\./.test(status)) return 'undecided'; // Its system, network or protocol.
  return /^4\.[27]\./.test(status) || GREYLISTED.test(words) ? 'greylisted' : 'undecided';
}

/** Undefined: the code decides nothing. */
function byStatus(status: string, words: string): ReplyMeaning | undefined {
  if (ABOUT_SENDER.has(status)) return 'turned_away';
  if (status === '5.2.2') return 'full';
  if (status === '5.2.1') return 'disabled';
  // Microsoft 365's reply for a mailbox that it does not have, "access denied" included.
  if (status === '5.4.1' && words.includes('recipient address rejected')) return 'refused';
  if (/^5\.(1\.[1-9]|1\.10|2\.)/.test(status)) return 'refused';
  return /^5\.[3467]\./.test(status) ? 'turned_away' : undefined;
}

/** 5.1.7 and 5.1.8 are about the address of the sender. */
const ABOUT_SENDER = new Set(['5.1.7', '5.1.8']);

function byWords(code: number, words: string): ReplyMeaning {
  if (ABOUT_US.test(words)) return 'turned_away';
  if (code === 552 || FULL.test(words)) return 'full';
  if (DISABLED.test(words)) return 'disabled';
  // 550, 551, 553 and 556 are about the mailbox (RFC 5321 §4.2.3, RFC 7504); others may be.
  const isAboutMailbox = [550, 551, 553, 556].includes(code) || MAILBOX.test(words);
  return isAboutMailbox ? 'refused' : 'turned_away';
}

const ABOUT_US = /\b(block|black|deny|denied|rbl|spam|reputation|policy)/;
/** Words of a temporary refusal of us. Greylisting is a policy too (4.7.1); a blocklist is more. */
const ABOUT_US_NOW = /\b(block|black|rbl|spam|reputation)/;
const GREYLISTED = /\bgr[ae]y|\b(try again|retry|later|deferred)\b/;
const FULL = /\b(mailbox|inbox|storage|account)( is| has)? (full|exceeded)|\bover ?quota|\bquota\b/;
const DISABLED = /\b(disabled|deactivated|inactive|suspended|discontinued)\b/;
const MAILBOX = /\b(user|mailbox|recipient|account|address)\b/;

/** The words in lower case, without possible names. A reply is read as Latin-1, UTF-8 or not. */
function wordsOf(text: string, { local, domain }: Address): string {
  const bare = local.replace(/^"(.*)"$/s, '$1');
  const names = [`${local}@${domain}`, local, bare].filter((name) => name !== '');
  const latin = names.map((name) => Buffer.from(name).toString('latin1'));
  // Whole names only: "b" is not part of "blocked".
  const known = new RegExp(
    `(?<![\\w.+-])(?:${latin.map(escaped).join('|')})(?![\\w+-]|\\.\\w)`,
    'gi',
  );
  return text
    .replace(known, ' ')
    .toLowerCase()
    .replaceAll(/[^\s<>()"':;,]+/g, (word) => {
      const name = word.replace(/\.$/, '');
      return word.includes('@') || name === domain || name.endsWith(`.${domain}`) ? '' : word;
    });
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
