import { column, row, type Database } from '../../../platform/rows.ts';
import { invalid } from '../../../kernel/invalid.ts';
import { COMMON_KEYS, COMMON_WORDS } from './common_words.ts';

/*
 * New passwords that are guessed first: common ones, rows and repetitions of characters, and what
 * is made of the own name or address (NIST SP 800-63B, 5.1.1.2). Nothing is asked of the kinds of
 * characters.
 */

const ADVICE = 'use a few words that do not belong together, or let a password manager make one';

interface Owner {
  readonly username: string;
  readonly email: string;
}

/** Refuses a new password that is guessed first. */
export function refuseWeakPassword(password: string, owner: Owner): void {
  const reason = reasonOf(password, owner);
  if (reason === undefined) return;
  throw invalid([{ pointer: '/password', message: `${reason}: ${ADVICE}` }]);
}

/** The same for an owner that exists. */
export async function refuseWeakPasswordOf(
  db: Database,
  agentId: number,
  password: string,
): Promise<void> {
  const columns = { username: column.text, email: column.text };
  const sql = 'select username, email from agent where id = $1';
  refuseWeakPassword(password, await row(db, columns, sql, [agentId]));
}

/** A shorter part of a password is in any name. */
const OWN_CHARS_MIN = 3;

function reasonOf(password: string, { username, email }: Owner): string | undefined {
  const text = small(password);
  const parts = partsOf(text);
  const own = [username, email, email.split('@')[0]!].flatMap((name) => partsOf(small(name)));
  if (parts.some((part) => part.length >= OWN_CHARS_MIN && own.includes(part)))
    return 'is your own name or address';
  if (COMMON_KEYS.has(text) || parts.some((part) => COMMON_WORDS.has(part))) {
    return 'is common, so it is guessed first';
  }
  if (isRegular(Array.from(text))) return 'is a row or a repetition, so it is guessed first';
  return undefined;
}

/** As it is hashed, in small letters. */
const small = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Signs that stand for letters. One stands for two of them. */
const LETTERS: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** A text, also without digits and signs around, and with the letters that others stand for. */
function partsOf(text: string): string[] {
  const bare = text.replace(/[^\p{L}]+$/u, '');
  const parts = [text, bare, bare.replace(/^[^\p{L}]+/u, '')].filter((part) => part !== '');
  const read = (part: string, one: string) =>
    part.replaceAll(/[0134578@$!]/g, (sign) => (sign === '1' ? one : (LETTERS[sign] ?? sign)));
  return parts.flatMap((part) => [part, read(part, 'i'), read(part, 'l')]);
}

/** Longer ones are in no list of guesses. */
const REGULAR_CHARS_MAX = 20;
/** Characters of a row, on average, from which a password is made of rows: as 1234abcd. */
const ROW_CHARS_MIN = 4;

const KEYS = ['1234567890', 'qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** Whether the characters are few rows, as aaaa, 1234 or qwerty, or one part again and again. */
const isRegular = (chars: readonly string[]): boolean =>
  chars.length <= REGULAR_CHARS_MAX &&
  (chars.length / countRows(chars) >= ROW_CHARS_MIN || isRepeated(chars));

function countRows(chars: readonly string[]): number {
  let rows = 1;
  let step: number | undefined;
  for (const [n, char] of chars.slice(1).entries()) {
    const next = stepTo(char, chars[n]!);
    if (next !== undefined && (step === undefined || next === step)) step = next;
    else {
      rows += 1;
      step = undefined;
    }
  }
  return rows;
}

/** The step to a character from the one before in a row; undefined: no row has both. */
function stepTo(char: string, before: string): number | undefined {
  const step = char.codePointAt(0)! - before.codePointAt(0)!;
  if (Math.abs(step) <= 1) return step;
  const row = KEYS.find((keys) => keys.includes(before + char) || keys.includes(char + before));
  return row === undefined ? undefined : row.indexOf(char) - row.indexOf(before);
}

const isRepeated = (chars: readonly string[]): boolean =>
  Array.from({ length: Math.floor(chars.length / 2) }, (_, n) => n + 1).some((length) =>
    chars.every((char, n) => char === chars[n % length]),
  );
