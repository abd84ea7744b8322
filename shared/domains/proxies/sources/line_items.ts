import { HOST, itemOfFields, itemOfWords, WHOLE, type Item, type Items } from './items.ts';

/** Maximum characters of a line; the rest is ignored. */
const LINE_CHARS_MAX = 500;

/** Reads the items of lines of text, or of CSV with or without a header, as they come. */
export function lineItems(onItem: (item: Item) => void): Items {
  const decoder = new TextDecoder();
  let columns: ReadonlyMap<string, number> | undefined;
  let isFirst = true;
  /** The start of a line whose end has not come yet. */
  let begun = '';

  function read(line: string): void {
    if (line === '' || line.startsWith('#')) return;
    const cells = /[,;\t]/.test(line) ? cellsOf(line) : line.split(/\s+/);
    if (isFirst && isHeader(cells)) {
      columns = new Map(cells.map((cell, n) => [cell.toLowerCase(), n]));
    } else if (columns) {
      const known = columns;
      onItem(itemOfFields((name) => cells[known.get(name) ?? -1]));
    } else onItem(itemOfWords(cells));
    isFirst = false;
  }

  function readLines(text: string): void {
    let at = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      const rest = text.slice(at, Math.min(end, at + LINE_CHARS_MAX));
      read((begun + rest).slice(0, LINE_CHARS_MAX).trim());
      begun = '';
      at = end + 1;
    }
    begun = (begun + text.slice(at, at + LINE_CHARS_MAX)).slice(0, LINE_CHARS_MAX);
  }

  return {
    write: (bytes) => readLines(decoder.decode(bytes, { stream: true })),
    end: () => readLines(`${decoder.decode()}\n`),
  };
}

const cellsOf = (line: string): string[] =>
  line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

const isHeader = (cells: readonly string[]): boolean =>
  cells.some((cell) => HOST.includes(cell.toLowerCase()) || WHOLE.includes(cell.toLowerCase()));
