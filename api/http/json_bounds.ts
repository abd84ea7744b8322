/** In a shorter text nothing of this can matter. */
const CHARS_MIN = 4_096;
const DEPTH_MAX = 256;
/** Of the body itself, where it is an object; and of all objects and lists in it together. */
const FIELDS_MAX = 1_000;
const VALUES_MAX = 40_000; // More than what is sold may have: 64 kB of them, with commas.

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/**
 * Why a JSON text is not worth parsing: it is nested deeper, or holds more, than any input may.
 * V8 needs 30 ms and more to parse 256 kB of brackets, and to read 256 kB of fields takes as long;
 * any other text of that size takes a millisecond.
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
