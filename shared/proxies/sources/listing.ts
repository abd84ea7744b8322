import {
  hostPortOf,
  isAddress,
  isOpen,
  spelled,
  type Exception,
} from '../../platform/addresses.ts';

/** What a source lists: each good entry once, with the country that the source gives it. */
export interface Listing {
  /** `address:port` in its one spelling, and a declared country or ''. */
  readonly entries: ReadonlyMap<string, string>;
  /** How much else there was, by reason. */
  readonly refused: Readonly<Record<Reason, number>>;
}

type Reason = 'duplicate' | 'unreadable' | 'password' | 'protocol' | 'not_public';

/** Beyond this a source is not believed. */
export const ENTRIES_MAX = 1_000_000;
/** More noise than this, and it is no list of proxies: an error page, say. */
const UNREADABLE_SHARE_MAX = 0.5;
/** Entries read at a stretch, so that other jobs of the process go on. */
const STRETCH = 5_000;

/** A source that is no list. The message is for the operator. */
export class BadSource extends Error {}

/**
 * Reads what a source answered: one proxy a line (`host:port`, `socks5://host:port`), CSV with or
 * without a header, or JSON (strings or objects). Only addresses count: a name could lead anywhere
 * later. Private and reserved addresses are refused, and so is what needs a password.
 */
export async function readListing(
  text: string,
  exceptions: readonly Exception[] = [],
): Promise<Listing> {
  const entries = new Map<string, string>();
  const refused = { duplicate: 0, unreadable: 0, password: 0, protocol: 0, not_public: 0 };
  let read = 0;
  for (const item of itemsOf(text)) {
    read += 1;
    if (read > ENTRIES_MAX) throw new BadSource(`lists more than ${ENTRIES_MAX} entries`);
    if (read % STRETCH === 0) await new Promise(setImmediate);
    const found = entryOf(item, exceptions);
    if (typeof found === 'string') refused[found] += 1;
    else if (entries.has(found.place)) refused.duplicate += 1;
    else entries.set(found.place, found.country);
  }
  if (read === 0) throw new BadSource('is empty');
  if (refused.unreadable / read > UNREADABLE_SHARE_MAX) {
    throw new BadSource(`is no list of proxies: ${refused.unreadable} of ${read} are unreadable`);
  }
  return { entries, refused };
}

/** One line or object, as the words that matter. */
interface Item {
  readonly place: string;
  readonly protocol: string;
  readonly country: string;
}

function entryOf(
  { place, protocol, country }: Item,
  exceptions: readonly Exception[],
): { place: string; country: string } | Reason {
  const [, scheme = protocol, rest = ''] = /^(?:(\w+):\/\/)?([^]*)$/.exec(place) ?? [];
  const behind = rest.lastIndexOf('@') + 1;
  const found = hostPortOf(rest.slice(behind).replace(/\/$/, ''));
  if (!found || !isAddress(found.host)) return 'unreadable';
  if (behind > 0) return 'password';
  if (!/^(socks5h?|socks|)$/i.test(scheme)) return 'protocol';
  if (!isOpen(found, exceptions)) return 'not_public';
  const code = country.toUpperCase();
  return { place: spelled(found), country: /^[A-Z]{2}$/.test(code) ? code : '' };
}

function itemsOf(text: string): Iterable<Item> {
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
    if (typeof value !== 'object' || value === null) return itemOf([String(value)]);
    const fields = new Map(
      Object.entries(value).map(([name, field]) => [name.toLowerCase(), field]),
    );
    return named((name) => {
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
      yield named((name) => cells[known.get(name) ?? -1]);
    } else yield itemOf(cells);
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
function itemOf([first = '', second = '', ...more]: readonly string[]): Item {
  const bare = isAddress(first) && /^\d{1,5}$/.test(second);
  const words = bare ? more : [second, ...more];
  return {
    place: bare ? spelled({ host: first, port: Number(second) }) : first,
    protocol: words.find((word) => /^(socks|https?)/i.test(word)) ?? '',
    country: words.find((word) => /^[a-z]{2}$/i.test(word)) ?? '',
  };
}

const WHOLE = ['ip_port', 'proxy', 'address', 'url'];
const HOST = ['ip', 'host', 'ip_address', 'address'];

/** An entry whose parts have names. */
function named(get: (name: string) => string | undefined): Item {
  const any = (names: readonly string[]) => names.map(get).find((value) => value !== undefined);
  const host = any(HOST);
  const port = get('port');
  const place =
    host !== undefined && port !== undefined && isAddress(host)
      ? spelled({ host, port: Number(port) })
      : (any(WHOLE) ?? host ?? '');
  return {
    place,
    protocol: any(['protocol', 'protocols', 'type', 'scheme']) ?? '',
    country: any(['country_code', 'countrycode', 'country']) ?? '',
  };
}
