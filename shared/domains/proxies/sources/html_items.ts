import type { Item, Items } from './items.ts';
import { lineItems } from './line_items.ts';

/** Elements that end a line; all others end a word. */
const ROWS = /^\/?(tr|br|p|li|div|h\d|pre|table|option|proxy|item)$/;
/** Elements that are one line, however their text is broken. */
const ONE_LINE = /^(tr|li|proxy|item)$/;
/** Elements whose text is not for readers. */
const HIDDEN = /^(script|style)$/;
const TAG_CHARS_MAX = 30;
const ENTITY_CHARS_MAX = 10;
const ENTITIES: Readonly<Record<string, string>> = { nbsp: ' ', amp: '&', colon: ':', period: '.' };

/** Reads the rows of tables and the lines of a page of HTML, or of XML, as they come. */
export function htmlItems(onItem: (item: Item) => void): Items {
  const decoder = new TextDecoder();
  const lines = lineItems(onItem);
  /** The name of the open tag so far; undefined: the text between tags. */
  let tag: string | undefined;
  let isNamed = false;
  let hidden = '';
  let isOneLine = false;
  let entity: string | undefined;

  function endTag(): string {
    const name = tag!.toLowerCase();
    tag = undefined;
    if (hidden !== '') {
      if (name === `/${hidden}`) hidden = '';
      return '';
    }
    if (HIDDEN.test(name)) hidden = name;
    if (ROWS.test(name)) isOneLine = ONE_LINE.test(name) || (isOneLine && name === 'br');
    return ROWS.test(name) ? '\n' : '\t';
  }

  function textOf(html: string): string {
    let text = '';
    for (const char of html) {
      if (tag !== undefined) {
        if (char === '>') text += endTag();
        else if (/[\s/]/.test(char) && tag !== '') isNamed = true;
        else if (!isNamed && tag.length < TAG_CHARS_MAX) tag += char;
      } else if (char === '<') {
        tag = '';
        isNamed = false;
      } else if (hidden !== '') continue;
      else if (entity !== undefined) {
        if (char !== ';' && entity.length < ENTITY_CHARS_MAX) entity += char;
        else {
          text += characterOf(entity);
          entity = undefined;
        }
      } else if (char === '&') entity = '';
      else text += isOneLine && char === '\n' ? ' ' : char;
    }
    return text;
  }

  return {
    write: (bytes) => lines.write(Buffer.from(textOf(decoder.decode(bytes, { stream: true })))),
    end() {
      lines.write(Buffer.from(textOf(decoder.decode())));
      lines.end();
    },
  };
}

function characterOf(entity: string): string {
  const [, hex, digits] = /^#(?:x([\da-f]{1,6})|(\d{1,7}))$/i.exec(entity) ?? [];
  const code = hex === undefined ? Number(digits) : Number.parseInt(hex, 16);
  if (Number.isInteger(code) && code <= 0x10ffff) return String.fromCodePoint(code);
  return ENTITIES[entity.toLowerCase()] ?? ' ';
}
