/** In a shorter text the depth cannot matter. */
const CHARS_MIN = 4_096;
const DEPTH_MAX = 256;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST] = [0x5b, 0x5d];
const [OPEN_OBJECT, CLOSE_OBJECT] = [0x7b, 0x7d];

/**
 * Whether a JSON text is nested deeper than any input may be. V8 needs a hundred times as long to
 * parse 256 kB of brackets as any other text of that size: 30 ms and more.
 */
export function isAbsurdlyDeep(text: string): boolean {
  if (text.length < CHARS_MIN) return false;
  let depth = 0;
  let quoted = false;
  for (let n = 0; n < text.length; n += 1) {
    const char = text.charCodeAt(n);
    if (quoted) {
      if (char === BACKSLASH) n += 1;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) quoted = true;
    else if (char === OPEN_LIST || char === OPEN_OBJECT) depth += 1;
    else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}
