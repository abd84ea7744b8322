import { isPlace, itemOfFields, itemsOfWords, type Item, type Items } from './items.ts';
import { yamlItems } from './yaml_items.ts';

/** Maximum characters of a line; of the rest only what is behind a separator is read. */
const LINE_CHARS_MAX = 500;
const SEPARATORS = /[\s,;]/;

/**
 * Reads the items of lines of text as they come: `host:port`, CSV with or without a header, the
 * lines of proxychains, and the list `proxies` of YAML. A line may hold several.
 */
export function lineItems(onItem: (item: Item) => void): Items {
  const decoder = new TextDecoder();
  let columns: ReadonlyMap<string, number> | undefined;
  let isFirst = true;
  let yaml: ReturnType<typeof yamlItems> | undefined;
  /** The start of a line whose end has not come yet. */
  let begun = '';
  /** The line is too long, and nothing in it separates. */
  let isSkipped = false;

  function read(indented: string): void {
    if (/^proxies:\s*$/i.test(indented)) yaml ??= yamlItems(onItem);
    else if (yaml?.read(indented)) return;
    const line = indented.trim();
    if (line === '' || /^(#|\/\/)/.test(line)) return;
    const isTable = /[,;\t|]/.test(line);
    const cells = isTable ? cellsOf(line) : line.split(/\s+/);
    if (isFirst && isTable && cells.some((cell) => isPlace(cell.toLowerCase()))) {
      columns = new Map(cells.map((cell, n) => [cell.toLowerCase(), n]));
      isFirst = false;
      return;
    }
    isFirst = false;
    if (columns) {
      const known = columns;
      const item = itemOfFields((name) => cells[known.get(name) ?? -1]);
      if (/[.:]/.test(item.address)) return onItem(item);
    }
    for (const item of itemsOfWords(wordsOf(line))) onItem(item);
  }

  function readLines(text: string): void {
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      add(text.slice(at, end));
      if (!isSkipped) read(begun);
      begun = '';
      isSkipped = false;
      at = end + 1;
    }
    add(text.slice(at));
  }

  /** Adds to a line, and reads its start once it is too long. */
  function add(more: string): void {
    for (let at = 0; at < more.length;) {
      if (isSkipped) {
        const next = more.slice(at).search(SEPARATORS);
        if (next < 0) return;
        at += next + 1;
        isSkipped = false;
        continue;
      }
      const space = LINE_CHARS_MAX - begun.length;
      begun += more.slice(at, at + space);
      at += space;
      if (begun.length < LINE_CHARS_MAX) return;
      const cut = lastSeparatorIn(begun);
      read(cut < 0 ? begun : begun.slice(0, cut));
      begun = cut < 0 ? '' : begun.slice(cut + 1);
      isSkipped = cut < 0;
    }
  }

  return {
    write: (bytes) => readLines(decoder.decode(bytes, { stream: true })),
    end() {
      readLines(`${decoder.decode()}\n`);
      yaml?.end();
    },
  };
}

function lastSeparatorIn(text: string): number {
  for (let at = text.length - 1; at > 0; at -= 1) if (SEPARATORS.test(text[at]!)) return at;
  return -1;
}

const cellsOf = (line: string): string[] =>
  line.split(/[,;\t|]/).map((cell) => cell.trim().replace(/^(["'])(.*)\1$/, '$2'));

/** The words of a line, without quotes and brackets around them; those of IPv6 addresses stay. */
const wordsOf = (line: string): string[] =>
  line
    .split(/[\s,;|"'`<>(){}=]+/)
    .map((word) => word.replace(/^\[(?![\da-f:.]+\])|(?<!^[^[]*\[[\da-f:.]+)\]$/gi, ''))
    .filter((word) => word !== '');
