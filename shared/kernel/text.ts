import type { BadField } from './oversize.ts';

/**
 * Characters that hide or reorder text, and so can deceive a person or a model that reads it:
 * controls (except tab and line breaks), zero-width, bidirectional overrides and isolates, tag
 * characters (Unicode TR 36, TR 9).
 */
const DECEPTIVE = new RegExp(
  String.raw`[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f` +
    String.raw`\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]`,
  'gu',
);

/** Text as it may be shown to others: NFC, without what deceives, trimmed. */
export function clean(text: string): string {
  return text.normalize('NFC').replace(DECEPTIVE, '').trim();
}

/** Fillers of Hangul are ignorable, and the empty pattern of Braille, a blank, is not. */
const SEEN = /[^\p{Default_Ignorable_Code_Point}\p{Private_Use}\p{Separator}\p{Mark}\u2800]/u;

/** Whether anything of a cleaned text can be seen. */
export const isSeen = (text: string): boolean => SEEN.test(text);

/** Hidden in a schema, so that no published schema has it. */
const SHOWN_AS = '~shownAs';
type ShownAs = 'text' | 'line';

/**
 * A text that is shown to others, in an input. It is cleaned before it is measured: the NFC form of
 * a character can be three, which would pass the limit and fail in the database.
 */
export const Shown = <S extends object>(schema: S): S => marked(schema, 'text');
/** The same for a title or name, of one line. */
export const ShownLine = <S extends object>(schema: S): S => marked(schema, 'line');

const marked = <S extends object>(schema: S, shownAs: ShownAs): S =>
  Object.defineProperty(schema, SHOWN_AS, { value: shownAs });

/** What of a JSON schema says how an input is cleaned. */
interface Cleanable {
  readonly [SHOWN_AS]?: ShownAs;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Cleanable;
  readonly properties?: Readonly<Record<string, Cleanable>>;
  readonly anyOf?: readonly Cleanable[];
}

/** Units of UTF-16 that may become one character, and more than any writing system needs. */
const UNITS_PER_CHARACTER = 8;

/** The input with each shown text in it cleaned. `bad` gets those with nothing that is seen. */
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
  if (Array.isArray(value)) {
    const { items, maxItems = Infinity } = schema;
    if (!items || value.length > maxItems) return value; // Refused as too long.
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
  if (!shownAs || text.length > UNITS_PER_CHARACTER * maxLength) return text;
  const seen = clean(shownAs === 'line' ? text.replaceAll(/\s+/gu, ' ') : text);
  if (!isSeen(seen) && text !== '' && minLength > 0) {
    bad.push({ pointer, message: 'has nothing that can be seen' });
  }
  return seen;
}

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

/** Text of another party, marked. */
export const untrusted = (content: string) => ({ untrusted: true as const, content });

/** The name of an account that a payment by x402 opened, which holds the address of its payer. */
const OF_PAYER = /^x402-\w{30,}/;

/** What is no part of a handle. The names of child agents are free text, a sentence too. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}_./-]+/gu;

/** A name as a handle, in which no sentence reaches a model. */
export const handleOf = (name: string): string => name.replaceAll(BETWEEN_WORDS, '-');

/** What those with whom an agent deals are told of its username: not the address of a payer. */
export const shownName = (username: string): string =>
  handleOf(username).replace(OF_PAYER, 'x402 payer');
