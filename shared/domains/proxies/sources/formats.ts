import type { Item, Items } from './items.ts';
import { jsonItems } from './json_items.ts';
import { lineItems } from './line_items.ts';

/** Bytes by which the format is recognized. */
const START = 100;

/** Reads the items of a source in its format: lines of text, CSV or JSON. */
export function itemsOf(onItem: (item: Item) => void): Items {
  let start = Buffer.alloc(0);
  let items: Items | undefined;

  function begin(): Items {
    const text = new TextDecoder().decode(start).trimStart();
    const isJson = /^[[{]/.test(text) && !/^\[[\da-f:]+\]:/i.test(text);
    const begun = isJson ? jsonItems(text.startsWith('['), onItem) : lineItems(onItem);
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
