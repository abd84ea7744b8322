import { noteUnkept } from './unkept.ts';

/** A shorter text cannot exceed the limits that matter. */
const CHARS_MIN = 4_096;
const DEPTH_MAX = 256;
/** Maximum fields of the body, if it is an object; and below, of all objects and lists in it. */
const FIELDS_MAX = 1_000;
const VALUES_MAX = 40_000; // More than goods may have: 64 kB of them, with commas.

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/**
 * The reason why a JSON text is not parsed: it nests deeper or holds more than any input may. V8
 * needs 30 ms or more to parse 256 kB of brackets or of fields; any other text of that size takes
 * a millisecond.
 */
export function excessOf(text: string): string | undefined {
  if (text.length < CHARS_MIN) return undefined;
  const fieldsMax = /^\s*\{/.test(text) ? FIELDS_MAX : VALUES_MAX;
  let depth = 0;
  let fields = 1;
  let values = 1;
  let quoted = false;
  for (let n = 0; n < text.length; n += 1) {
    const char = text.charCodeAt(n);
    if (quoted) {
      if (char === BACKSLASH) n += 1;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) quoted = true;
    else if (char === COMMA) {
      values += 1;
      if (depth === 1) fields += 1;
      if (values > VALUES_MAX || fields > fieldsMax) return 'holds too many values';
    } else if (char === OPEN_LIST || char === OPEN_OBJECT) depth += 1;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
    if (depth > DEPTH_MAX) return 'is nested too deep';
  }
  return undefined;
}

/**
 * A name that an object in a valid JSON text has twice; undefined: none. `JSON.parse` keeps the
 * last of two values without a word, and other parsers the first (RFC 8259, section 4): what a
 * router has checked would not be what is bought, or limited.
 */
export function repeatedNameIn(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  // A name comes first in an object and after its commas; any other text is a value.
  let isName = false;
  for (let n = 0; n < text.length; n += 1) {
    const char = text.charCodeAt(n);
    if (char === QUOTE) {
      const start = n;
      for (n += 1; text.charCodeAt(n) !== QUOTE; n += 1) {
        if (text.charCodeAt(n) === BACKSLASH) n += 1;
      }
      if (!isName) continue;
      const written = text.slice(start, n + 1);
      const name = written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
      const names = open.at(-1)!;
      if (names.has(name)) return name;
      names.add(name);
      isName = false;
    } else if (char === OPEN_OBJECT) {
      open.push(new Set());
      isName = true;
    } else if (char === OPEN_LIST) {
      open.push(undefined);
      isName = false;
    } else if (char === CLOSE_OBJECT || char === CLOSE_LIST) {
      open.pop();
      isName = false;
    } else if (char === COMMA) isName = open.at(-1) !== undefined;
  }
  return undefined;
}

/** The value of a JSON text, or the reason why it is refused, in words that follow its name. */
export function readJsonText(
  text: string,
): { readonly value: unknown } | { readonly fault: string } {
  const excess = excessOf(text);
  if (excess) return { fault: excess };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: NO_JSON };
  }
  const name = repeatedNameIn(text);
  if (name === undefined) {
    noteUnkept(text, value);
    return { value };
  }
  return { fault: `has ${JSON.stringify(name.slice(0, 64))} twice in one object: send it once` };
}

/** The text of a file without the byte order mark that some editors put before it. */
export const withoutMark = (text: string): string => text.replace(/^\ufeff/, '');

export const NO_JSON = 'is not JSON in UTF-8';
