import type { Address } from '../../../../shared/kernel/mail_address.ts';

/** A reply in the form in which its words are looked for. */
interface Statements {
  /** Its enhanced status code (RFC 3463), or an empty string. */
  readonly status: string;
  readonly words: string;
}

/** At the start of a line, or as qmail and others write it: `(#5.1.1)`, `#5.1.0`. */
const STATUS = /^[45]\d\d[ -]#?([45]\.\d{1,3}\.\d{1,3})(?!\S)|#([45]\.\d{1,3}\.\d{1,3})\b/m;

/** The path of a URL, and what is behind it: our address, or the number of a case. */
const QUERY = /(https?:\/\/[^\s?#]*)[?#]\S*/gi;

/**
 * Reads the text of a reply about this address. Names that the server repeats are no words: the
 * address or its local part is `@name`, other addresses are `@other`, its domain is left out.
 */
export function statementsOf(text: string, { local, domain }: Address): Statements {
  const found = STATUS.exec(text);
  const status = found?.[1] ?? found?.[2] ?? '';
  const bare = local.replace(/^"(.*)"$/s, '$1');
  const names = [`${local}@${domain}`, local, bare].filter((name) => name !== '');
  const latin = names.map((name) => Buffer.from(name).toString('latin1'));
  // Whole names only: "b" is not part of "blocked".
  const known = new RegExp(
    `(?<![\\w.+-])(?:${latin.map(escaped).join('|')})(?![\\w+-]|\\.\\w)`,
    'gi',
  );
  const plain = text.replaceAll(/^[45]\d\d[ -](#?[45]\.\d+\.\d+(?!\S))?/gm, ' ');
  const words = decoded(plain.replaceAll(QUERY, '$1').replace(known, ' @name '))
    .toLowerCase()
    .replaceAll(/[^\s<>()"[\]{}:;,]+/g, (word) => {
      if (word === '@name') return word;
      const name = word.replace(/\.$/, '');
      if (word.includes('@')) return '@other';
      return name === domain || name.endsWith(`.${domain}`) ? '' : word;
    })
    // A full stop divides statements; other punctuation does not.
    .replaceAll(/\.{2,}|[<>()"[\]{}:;,!]/g, ' ')
    .replaceAll(/\s+/g, ' ');
  return { status, words: `${words} ` };
}

/** A reply is read as Latin-1. Where it is UTF-8, accents are taken off. */
function decoded(text: string): string {
  const utf8 = Buffer.from(text, 'latin1').toString('utf8');
  if (utf8.includes('\uFFFD')) return text;
  return utf8.normalize('NFKD').replaceAll(/\p{Mark}/gu, '');
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
