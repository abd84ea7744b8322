import { isAddress, spelled } from '../../platform/egress/addresses.ts';

/** The formats that sources write: lines of text, CSV and JSON. */

/** One line or object of a source: its fields as they are written, '' where there is none. */
export interface Item {
  readonly address: string;
  readonly protocol: string;
  readonly country: string;
}

/** A source that is no list. The message is for the operator. */
export class BadSource extends Error {}

/** The items of a source, read one by one. */
export function itemsOf(text: string): Iterable<Item> {
  const start = text.slice(0, 100).trimStart();
  return /^[[{]/.test(start) && !/^\[[\da-f:]+\]:/i.test(start) ? inJson(text) : inLines(text);
}

function inJson(text: string): Item[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new BadSource('is not JSON, though it begins so');
  }
  const list = Array.isArray(parsed)
    ? parsed
    : Object.values(parsed as object).find((value) => Array.isArray(value));
  if (!list) throw new BadSource('is JSON without a list in it');
  return (list as unknown[]).map((value) => {
    if (typeof value !== 'object' || value === null) return itemOfWords([String(value)]);
    const fields = new Map(
      Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]),
    );
    return itemOfFields((name) => {
      const field: unknown = fields.get(name);
      const one: unknown = Array.isArray(field)
        ? (field.find((f) => /^socks5/i.test(String(f))) ?? field[0])
        : field;
      return typeof one === 'string' || typeof one === 'number' ? String(one) : undefined;
    });
  });
}

function* inLines(text: string): Generator<Item> {
  let columns: ReadonlyMap<string, number> | undefined;
  let first = true;
  for (const line of linesOf(text)) {
    if (line === '' || line.startsWith('#')) continue;
    const cells = /[,;\t]/.test(line) ? cellsOf(line) : line.split(/\s+/);
    if (first && isHeader(cells)) {
      columns = new Map(cells.map((cell, n) => [cell.toLowerCase(), n]));
    } else if (columns) {
      const known = columns;
      yield itemOfFields((name) => cells[known.get(name) ?? -1]);
    } else yield itemOfWords(cells);
    first = false;
  }
}

/** Lines one by one: a list of a million is not copied first. */
function* linesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length;) {
    const end = text.indexOf('\n', at);
    const stop = end < 0 ? text.length : end;
    yield text.slice(at, Math.min(stop, at + 500)).trim();
    at = stop + 1;
  }
}

const cellsOf = (line: string): string[] =>
  line.split(/[,;\t]/).map((cell) => cell.trim().replace(/^"(.*)"$/, '$1'));

const isHeader = (cells: readonly string[]): boolean =>
  cells.some((cell) => HOST.includes(cell.toLowerCase()) || WHOLE.includes(cell.toLowerCase()));

/** `host:port`, `host, port`, or either with words about it behind. */
function itemOfWords([first = '', second = '', ...more]: readonly string[]): Item {
  const isSplit = isAddress(first) && /^\d{1,5}$/.test(second);
  const words = isSplit ? more : [second, ...more];
  return {
    address: isSplit ? spelled({ host: first, port: Number(second) }) : first,
    protocol: words.find((word) => /^(socks|https?)/i.test(word)) ?? '',
    country: words.find((word) => /^[a-z]{2}$/i.test(word)) ?? '',
  };
}

/** Names of fields that hold address and port together, and the address alone. */
const WHOLE = ['ip_port', 'proxy', 'address', 'url'];
const HOST = ['ip', 'host', 'ip_address', 'address'];

/** An item whose fields have names. */
function itemOfFields(get: (name: string) => string | undefined): Item {
  const any = (names: readonly string[]) => names.map(get).find((value) => value !== undefined);
  const host = any(HOST);
  const port = get('port');
  const address =
    host !== undefined && port !== undefined && isAddress(host)
      ? spelled({ host, port: Number(port) })
      : (any(WHOLE) ?? host ?? '');
  return {
    address,
    protocol: any(['protocol', 'protocols', 'type', 'scheme']) ?? '',
    country: any(['country_code', 'countrycode', 'country']) ?? '',
  };
}
