import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { meaningOf } from '../../../workers/gateways/mail/smtp/reply_meaning.ts';

/** A reply to RCPT TO for ada@ada.example, and what it says of this mailbox. */
export interface KnownReply {
  readonly meaning: Judgement;
  /** Its source; undefined in held_out.tsv, where comments say it. */
  readonly source: string | undefined;
  readonly text: string;
}
type Judgement = (typeof JUDGEMENTS)[number];

/** All but `unknown` are charged. */
export const JUDGEMENTS = ['refused', 'full', 'disabled', 'greylisted', 'unknown'] as const;

/** The replies of a table beside this file: the meaning, perhaps a source, and the reply. */
export function repliesIn(table: string): KnownReply[] {
  const text = readFileSync(join(import.meta.dirname, table), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const cells = line.split('\t');
    const [meaning, source] = [cells[0] as Judgement, cells.length > 2 ? cells[1] : undefined];
    return { meaning, source, text: cells.at(-1)!.replaceAll(String.raw`\n`, '\r\n') };
  });
}

/** The answer to the caller about a mailbox with this reply. */
export function judged(text: string): Judgement | 'accepted' {
  const lines = text.split('\r\n');
  const reply = { code: Number(lines.at(-1)!.slice(0, 3)), text: `${text}\r\n` };
  const meaning = meaningOf(reply, { local: 'ada', domain: 'ada.example' });
  return meaning === 'turned_away' || meaning === 'undecided' ? 'unknown' : meaning;
}
