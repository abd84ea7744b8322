import { distance } from 'fastest-levenshtein';

import {
  anyOf,
  currenciesBySpelling,
  LETTER,
  negatingParts,
  negations,
  unitsBySpelling,
  UNSPACED,
  unspacedNegations,
} from './exact_words.ts';
import { withDigits } from './number_words.ts';
import { folded } from './spelling.ts';

/** A text as it is compared. */
export interface TextReading {
  readonly is: 'text';
  readonly key: string;
  /** Its words; each character is one in a script that is written without spaces. */
  readonly words: readonly string[];
  /** Parts that change the meaning alone: numbers, signs, units, currencies and negations. */
  readonly exact: string;
}

/**
 * Maximum words of texts that may differ; longer ones, of characters that stand for many words,
 * must be equal. Comparing takes time by the square of the words, 10 ms for as many.
 */
const WORDS_MAX = 4_000;

interface TextRules {
  /** The rest is not read. */
  readonly wordsMax?: number | undefined;
  /** Whether each punctuation mark is a word; else it does not count. */
  readonly punctuation?: boolean | undefined;
}

/** Reads a text without case and, unless the rules say otherwise, punctuation. */
export function textOf(
  answer: string,
  { wordsMax = Infinity, punctuation = false }: TextRules = {},
): TextReading {
  const text = spelled(answer);
  const found = { all: [] as string[], words: [] as string[], exact: [] as string[] };
  for (const { groups } of text.matchAll(punctuation ? TOKEN_OR_MARK : TOKEN)) {
    if (found.words.length >= wordsMax) break;
    const { all, words, exact } = readToken(groups!);
    found.all.push(...all);
    found.words.push(...words);
    found.exact.push(...exact);
  }
  // An answer of nothing but punctuation is compared as it is.
  const key = found.all.join(' ') || text.trim();
  return { is: 'text', key, words: found.words, exact: found.exact.join(' ') };
}

function readToken(groups: Groups): { all: string[]; words: string[]; exact: string[] } {
  const { quantity, symbol, negating, char, mark, word } = groups;
  if (quantity !== undefined) {
    const exact = quantityOf(groups);
    return { all: exact, words: exact.filter((part) => !SYMBOL.test(part)), exact };
  }
  if (symbol !== undefined) return { all: [symbol], words: [], exact: [symbol] };
  if (negating !== undefined) {
    const words = negating.match(CHARS)!;
    return { all: words, words, exact: [negating] };
  }
  const alone = char ?? mark;
  const words = alone === undefined ? wordsOf(word!) : [alone];
  return { all: words, words, exact: words.flatMap(exactIn) };
}

const exactIn = (word: string): readonly string[] =>
  negations.has(word) || HAN_NUMBER.test(word) ? [word] : (word.match(NEGATING) ?? []);

type Groups = Readonly<Record<string, string>>;

/**
 * Whether two texts agree: what must be exact is, and 1 - word error rate is at least the
 * similarity. The rate is of the longer one, so that it is the same from both sides.
 */
export function isSameText(one: TextReading, other: TextReading, similarity: number): boolean {
  if (one.key === other.key) return true;
  if (one.exact !== other.exact) return false;
  const length = Math.max(one.words.length, other.words.length);
  // A similarity is stored as a float of 4 bytes.
  const most = (1 - similarity) * length + 1e-6 * length;
  // Two that are nothing but punctuation have no words, and differ.
  if (length === 0 || length > WORDS_MAX || most < 1) return false;
  // The distance is at least the difference of the lengths.
  if (Math.abs(one.words.length - other.words.length) > most) return false;
  return editsOf(one, other) <= most;
}

/** The number of words that were changed, added or left out. */
function editsOf(one: TextReading, other: TextReading): number {
  const codes = new Map<string, string>();
  const coded = ({ words }: TextReading) => words.map((word) => codeOf(word)).join('');
  // Each word as one character, as which very many are compared at once.
  function codeOf(word: string): string {
    const code = codes.get(word) ?? String.fromCharCode(codes.size);
    codes.set(word, code);
    return code;
  }
  return distance(coded(one), coded(other));
}

/** Signs that are compared, beside those of currencies. */
const SIGNS = '<>≤≥=≠+−±×÷≈%‰';
const SYMBOL = new RegExp(String.raw`^[${SIGNS}^/\p{Sc}]$`, 'u');

/** Digits with marks between them. A point may come first: .5 */
const NUMBER = String.raw`(?:(?<![\p{L}\p{N}.])\.)?\d+(?:[.,]\d+)*`;
const CURRENCY = String.raw`(?:\p{Sc}|${anyOf(currenciesBySpelling.keys())})`;
const UNIT = String.raw`(?:%|${CURRENCY}|${anyOf(unitsBySpelling.keys())})`;
/** A character that is a word by itself: also a pictogram and a tick. */
const CHAR = String.raw`(?:(?:${UNSPACED}|\p{So})\p{M}*)`;
const CHARS = new RegExp(CHAR, 'gu');

const TOKENS = [
  // The first condition is quick, and spares most words the long list of currencies.
  String.raw`(?<quantity>(?=\D{0,20}\d)(?<currency>(?<!${LETTER})${CURRENCY})? ?` +
    String.raw`(?<sign>[+−])? ?(?<number>${NUMBER})(?<units>(?: ?${UNIT})*))`,
  String.raw`(?<symbol>[${SIGNS}^]|\p{Sc}|(?<=\d)\/(?=\d))`,
  `(?<negating>${unspacedNegations})`,
  `(?<char>${CHAR})`,
  String.raw`(?<word>${LETTER}(?:\.${LETTER}(?!${LETTER}))+|${LETTER}+(?:'${LETTER}+)*)`,
];
const TOKEN = new RegExp(TOKENS.join('|'), 'gu');
const TOKEN_OR_MARK = new RegExp([...TOKENS, String.raw`(?<mark>\p{P})`].join('|'), 'gu');
const NEGATING = new RegExp(negatingParts, 'gu');
const HAN_NUMBER = /^[〇零一二两兩三四五六七八九十百千万萬億亿兆]$/u;
const UNITS = new RegExp(UNIT, 'gu');
const MONEY = new RegExp(`^${CURRENCY}$`, 'u');

/** A text in one spelling of its characters. */
function spelled(answer: string): string {
  const text = answer
    // Before NFKC, which makes 10² a 102 and 1½ an 11/2.
    .replaceAll(/(?<=\p{Nd})(?=[⁰¹²³⁴-⁹])/gu, '^')
    .replaceAll(/(?<=\p{Nd})(?=[¼-¾⅐-⅞])/gu, ' ')
    // Marks between thousands: 1'000 and 1 000 with a space that does not break.
    .replaceAll(/(?<=\p{Nd})['’\u00a0\u2009\u202f٬](?=\p{Nd}{3}(?!\p{Nd}))/gu, '');
  const alike = folded(text)
    .replaceAll(/\p{Nd}/gu, digitOf)
    .replaceAll(/[٪٫⁄]/gu, (mark) => MARKS[mark]!)
    .replaceAll(/<=|>=|!=/g, (signs) => COMPARISONS[signs]!)
    // A hyphen before a number that no word or number precedes is a minus.
    .replaceAll(/(?<![\p{L}\p{M}\p{N}%)])-(?=\p{Sc}?\.?\d)/gu, '−')
    .replaceAll(/\s+/gu, ' ');
  return withDigits(alike);
}

const MARKS: Readonly<Record<string, string>> = { '٪': '%', '٫': '.', '⁄': '/' };
const COMPARISONS: Readonly<Record<string, string>> = { '<=': '≤', '>=': '≥', '!=': '≠' };

/** A digit of any script as one of ASCII. Unicode has them by tens, in their order. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0)!;
  if (code < 0x80) return digit;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}

/** A number with its sign, units and currency, in one order: $5 and 5 $ are the same. */
function quantityOf({ currency, sign, number, units }: Groups): string[] {
  const after = units!.match(UNITS) ?? [];
  const all = currency === undefined ? after : [...after, currency];
  const signs = all.map((one) => currenciesBySpelling.get(one) ?? unitsBySpelling.get(one) ?? one);
  const isMoney = all.some((one) => MONEY.test(one));
  // £5m is no length.
  const shown = isMoney ? signs.map((one) => (one === 'm' ? 'million' : one)) : signs;
  return [...(sign === undefined ? [] : [sign]), ...numbersOf(number!), ...shown];
}

/** A number without marks between its thousands. Several marks otherwise part a list. */
function numbersOf(number: string): string[] {
  const text = number.startsWith('.') ? `0${number}` : number;
  if (/^\d{1,3}(,\d{2,3})*,\d{3}(\.\d+)?$/.test(text)) return [text.replaceAll(',', '')];
  if (/^\d{1,3}(\.\d{3}){2,}(,\d+)?$/.test(text)) return [text.replaceAll('.', '')];
  return /,.*,/.test(text) ? text.split(',') : [text];
}

/** The words of a run of letters: n't is a word, and so is the French n'. */
function wordsOf(word: string): string[] {
  const [, stem] = /^(.+)n't$/.exec(word) ?? BARE.exec(word) ?? [];
  if (stem !== undefined) return [STEMS[stem] ?? stem, 'not'];
  if (word === 'cannot') return ['can', 'not'];
  const [, rest] = /^n'(.+)$/.exec(word) ?? [];
  if (rest !== undefined) return ['ne', rest.replaceAll("'", '')];
  return [word.replaceAll(/['.]/g, '')];
}

const STEMS: Readonly<Record<string, string>> = { ca: 'can', wo: 'will', sha: 'shall' };
/** The same without an apostrophe. */
const BARE =
  /^(ai|are|ca|could|did|does|do|had|has|have|is|might|must|need|should|was|were|wo|would)nt$/;
