import { htmlItems } from './html_items.ts';
import type { Item, Items } from './items.ts';
import { jsonItems } from './json_items.ts';
import { lineItems } from './line_items.ts';

/** Bytes by which the format is recognized. */
const START = 100;

/**
 * Reads the items of a source in its format: JSON, JSON lines, HTML, CSV, YAML of Clash, or text by
 * lines. A byte order mark says that it is UTF-16.
 */
export function itemsOf(onItem: (item: Item) => void): Items {
  let start = Buffer.alloc(0);
  let items: Items | undefined;

  function begin(): Items {
    const encoding = encodingOf(start);
    const text = new TextDecoder(encoding).decode(start).trimStart();
    const found = itemsIn(text, onItem);
    const begun = encoding === 'utf-8' ? found : utf8Of(found, encoding);
    begun.write(start);
    return begun;
  }

  return {
    write(bytes) {
      if (items) return items.write(bytes);
      start = Buffer.concat([start, bytes]);
      if (start.length >= START) items = begin();
    },
    end() {
      items ??= begin();
      items.end();
    },
  };
}

/** The reader of a text that begins so. A line may begin with `[` too: `[::1]:1080`, `[Proxy]`. */
function itemsIn(start: string, onItem: (item: Item) => void): Items {
  if (/^<[!?a-z]/i.test(start)) return htmlItems(onItem);
  const isJson = /^[[{]\s*(["[{\]}\d-]|true|false|null|$)/.test(start);
  return isJson && !/^\[[\da-f:]+\]:/i.test(start) ? jsonItems(onItem) : lineItems(onItem);
}

function encodingOf(start: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

/** Gives a reader of UTF-8 the text of another encoding. */
function utf8Of(items: Items, encoding: string): Items {
  const decoder = new TextDecoder(encoding);
  const write = (text: string) => text === '' || items.write(Buffer.from(text));
  return {
    write: (bytes) => void write(decoder.decode(bytes, { stream: true })),
    end() {
      write(decoder.decode());
      items.end();
    },
  };
}
