import type { BadField } from './oversize.ts';
import { unkeptIn, type UnkeptPart } from './reading/unkept.ts';

/**
 * Characters that hide or reorder text, and so can deceive a person or a model that reads it:
 * controls (except tab and line breaks), bidirectional marks, overrides and isolates, separators of
 * lines, tag characters (Unicode TR 36, TR 9). Ranges of a class of a regular expression.
 */
export const DECEPTIVE =
  String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f` +
  String.raw`\u2028-\u202e\u2066-\u2069\u{e0000}-\u{e007f}`;

/** Those and the zero-width ones. Two of them join letters, and are parts of words and emoji. */
export const HIDDEN = DECEPTIVE + String.raw`\u00ad\u200b\u2060-\u2065\ufeff`;
const REMOVED = new RegExp(String.raw`[${HIDDEN}\u200c\u200d]`, 'gu');

const ANY_HIDDEN = new RegExp(`[${HIDDEN}]`, 'gu');

/**
 * A JSON text with its hidden characters as escapes, for every answer: its value is the same, and
 * whoever reads the text itself, a person, a model or a terminal, sees them and is not deceived.
 * Looking through 2 kB takes 4 µs, and writing them as JSON 18 µs.
 */
export const withEscapes = (json: string): string =>
  json.replace(ANY_HIDDEN, (char) => char.split('').map(escapeOf).join(''));

const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text in pieces, with `label` of the code point (U+202E) for each hidden character. */
export const labelled = <T>(text: string, label: (codePoint: string) => T): (string | T)[] =>
  text
    .split(EACH_HIDDEN)
    .map((piece, n) => (n % 2 === 0 ? piece : label(codePointOf(piece))))
    .filter((piece) => piece !== '');

const EACH_HIDDEN = new RegExp(`([${HIDDEN}])`, 'u');
const codePointOf = (char: string) =>
  `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** A name, or words to search for: NFC, without hidden characters, trimmed. Never data. */
export function clean(text: string): string {
  return text.normalize('NFC').replace(REMOVED, '').trim();
}

/** The first characters of a text; a pair of surrogates is not cut in two. */
export const beginningOf = (text: string, charsMax: number): string =>
  text.length <= charsMax ? text : text.slice(0, charsMax).replace(/[\ud800-\udbff]$/, '');

/** Visible characters. Fillers of Hangul are ignorable; the blank Braille pattern is not. */
const SEEN = /[^\p{Default_Ignorable_Code_Point}\p{Cc}\p{Co}\p{Separator}\p{Mark}\u2800]/u;

/** Whether a text has a visible character. */
export const isSeen = (text: string): boolean => SEEN.test(text);

/** A hidden key in a schema, which no published schema shows. */
const SHOWN_AS = '~shownAs';
type ShownAs = 'text' | 'line' | 'exact' | 'json';

/**
 * An input text that others read: data, which is stored and handed on as it was sent. A filter here
 * would change words, indents and emoji without a word; what deceives is marked where it is shown.
 */
export const PublicText = <S extends object>(schema: S): S => marked(schema, 'text');
/**
 * An input title or name of one line that is shown to others. It is cleaned before its length is
 * checked: the NFC form of one character can be three, which would pass the limit and fail in the
 * database.
 */
export const PublicLine = <S extends object>(schema: S): S => marked(schema, 'line');

/** A name that is stored elsewhere byte for byte. It is refused where a line would be cleaned. */
export const ExactLine = <S extends object>(schema: S): S => marked(schema, 'exact');

/** Any JSON of an input that others read. It is refused if they would not read what was sent. */
export const PublicJson = <S extends object>(schema: S): S => marked(schema, 'json');

const marked = <S extends object>(schema: S, shownAs: ShownAs): S =>
  Object.defineProperty(schema, SHOWN_AS, { value: shownAs });

/** The parts of a JSON schema that tell which texts others are shown. */
interface Cleanable {
  readonly [SHOWN_AS]?: ShownAs;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Cleanable;
  readonly properties?: Readonly<Record<string, Cleanable>>;
  readonly anyOf?: readonly Cleanable[];
}

/** Maximum UTF-16 units per character before cleaning: more than any writing system needs. */
const UNITS_PER_CHARACTER = 8;

/**
 * The input with all lines cleaned. `bad` gets the texts without a visible character, and the JSON
 * that is not kept as it was sent.
 */
export function cleaned(schema: object, input: unknown, bad: BadField[] = []): unknown {
  return cleanedIn(schema as Cleanable, input, { pointer: '', bad });
}

interface Position {
  readonly pointer: string;
  readonly bad: BadField[];
}

function cleanedIn(schema: Cleanable, value: unknown, { pointer, bad }: Position): unknown {
  if (!holdsShown(schema)) return value;
  if (schema.anyOf) return cleanedIn(schema.anyOf.find(holdsShown)!, value, { pointer, bad });
  if (typeof value === 'string') return cleanedText(schema, value, { pointer, bad });
  if (typeof value !== 'object' || value === null) return value;
  if (schema[SHOWN_AS] === 'json') {
    bad.push(...unkeptIn(value).map((part) => fieldOf(pointer, part)));
    return value;
  }
  if (Array.isArray(value)) {
    const { items, maxItems = Infinity } = schema;
    if (!items || value.length > maxItems) return value; // Refused later as too long.
    return value.map((item, n) => cleanedIn(items, item, { pointer: `${pointer}/${n}`, bad }));
  }
  const copy: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    if (!Object.hasOwn(value, name)) continue;
    copy[name] = cleanedIn(property, copy[name], { pointer: `${pointer}/${name}`, bad });
  }
  return copy;
}

function cleanedText(schema: Cleanable, text: string, { pointer, bad }: Position): string {
  const { minLength = 0, maxLength = Infinity, [SHOWN_AS]: shownAs } = schema;
  if (!shownAs || shownAs === 'json' || text.length > UNITS_PER_CHARACTER * maxLength) return text;
  const seen = shownAs === 'text' ? text : clean(text.replaceAll(/\s+/gu, ' '));
  if (shownAs === 'exact' && seen !== text) {
    const message = 'must be in NFC, without hidden characters and needless spaces';
    bad.push({ pointer, message });
  }
  if (!isSeen(seen) && text !== '' && minLength > 0) {
    bad.push({ pointer, message: 'must have a visible character' });
  }
  return seen;
}

const fieldOf = (pointer: string, { path, message }: UnkeptPart): BadField => ({
  pointer: `${pointer}/${path.map(escaped).join('/')}`.slice(0, 200),
  message,
});
const escaped = (name: string | number) => String(name).replaceAll('~', '~0').replaceAll('/', '~1');

const holding = new WeakMap<Cleanable, boolean>();

function holdsShown(schema: Cleanable): boolean {
  let holds = holding.get(schema);
  if (holds === undefined) {
    const { items, properties = {}, anyOf = [] } = schema;
    const inner = [...Object.values(properties), ...anyOf, ...(items ? [items] : [])];
    holds = schema[SHOWN_AS] !== undefined || inner.some(holdsShown);
    holding.set(schema, holds);
  }
  return holds;
}

/** Marks text of another party. */
export const untrusted = (content: string) => ({ untrusted: true as const, content });

/** The name of an account opened by an x402 payment, which holds the address of the payer. */
const OF_PAYER = /^x402-\w{30,}/;

/** Characters not allowed in a handle. Names of child agents are free text, even a sentence. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}_./-]+/gu;

/** A name as a handle, so that no sentence in it reaches a model. */
export const handleOf = (name: string): string => name.replaceAll(BETWEEN_WORDS, '-');

/** The username shown to counterparties: without the address of a payer. */
export const shownName = (username: string): string =>
  handleOf(username).replace(OF_PAYER, 'x402 payer');

/** The order of words and numbers that people expect. */
export const compareNames = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
