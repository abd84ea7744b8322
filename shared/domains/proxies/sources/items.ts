import { hostPortOf, isAddress, spelled } from '../../../platform/egress/addresses.ts';

/** One line or object of a source: its fields as they are written, '' where there is none. */
export interface Item {
  readonly address: string;
  readonly protocol: string;
  readonly country: string;
  /** It needs a login. */
  readonly hasLogin?: boolean;
  /** The list of the source that it stands in, if there are several. */
  readonly list?: string;
}

/** Reads the items of a source, piece by piece. Both throw BadSource. */
export interface Items {
  write(bytes: Uint8Array): void;
  end(): void;
}

/** A source that is no list. The message is for the operator. */
export class BadSource extends Error {}

export const isProtocol = (word: string): boolean => /^(socks\d?[ah]?|https?)$/i.test(word);
export const isCountry = (word: string): boolean => /^[a-z]{2}$/i.test(word);
const isPort = (word: string): boolean => /^\d{1,5}$/.test(word);

/** Protocol, login, and what is behind the port. */
const DECORATED = /^(?:\w+:\/\/)?(?:[^@\s]*@)?([^@/?#\s]+)(?:[/?#].*)?$/;
/** An IPv4 address and a port, with a login behind them or before them. */
const WITH_LOGIN =
  /^([\d.]{7,15}:\d{1,5})(?::[^:]+:.+|@.+)$|^[^:@/]+:[^:@/]+:([\d.]{7,15}:\d{1,5})$/;

/** An address and a port, and a word behind them: `1.2.3.4:1080:US`, `1.2.3.4:1080@socks5`. */
const WITH_WORD = /^((?:\w+:\/\/)?(?:[\d.]{7,15}|\[[\da-f:.]+\]):\d{1,5})[:@](\w+)$/i;

/** The words of `1.2.3.4:1080:US` and its like. What is behind the port may be a login too. */
function wordAndAbout(word: string): string[] {
  const [, address, about = ''] = WITH_WORD.exec(word) ?? [];
  return address !== undefined && (isCountry(about) || isProtocol(about))
    ? [address, about]
    : [word];
}

/** Whether a word is an address with a port, in any of the usual forms. */
function isWhole(word: string): boolean {
  const [, plain = ''] = DECORATED.exec(word) ?? [];
  const target = hostPortOf(plain) ?? hostPortOf(withLoginOf(word) ?? '');
  return target !== undefined && isAddress(target.host);
}

/** The address and port of `1.2.3.4:1080:user:password` and its like; undefined: it is none. */
export function withLoginOf(word: string): string | undefined {
  const [, before, behind] = WITH_LOGIN.exec(word.replace(/^\w+:\/\//, '')) ?? [];
  return before ?? behind;
}

/**
 * Reads the items of a line: `host:port` or `host port`, each with words about it before or behind.
 * A line without any is one item, whose address is its first word.
 */
export function itemsOfWords(line: readonly string[]): Item[] {
  const words = line.flatMap(wordAndAbout);
  const found: { at: number; length: number; address: string }[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const [word, next] = [words[at]!, words[at + 1] ?? ''];
    if (isWhole(word)) found.push({ at, length: 1, address: word });
    else if (isAddress(word) && isPort(next)) {
      found.push({ at, length: 2, address: spelled({ host: word, port: Number(next) }) });
      at += 1;
    }
  }
  if (found.length === 0) return [{ address: words[0] ?? '', protocol: '', country: '' }];
  return found.map(({ at, length, address }, n) => {
    // Words between two proxies are about the first.
    const behind = words.slice(at + length, found[n + 1]?.at);
    const about = found.length === 1 ? [...words.slice(0, at), ...behind] : behind;
    const protocol = about.find(isProtocol) ?? '';
    // proxychains: socks5 host port user password
    const hasLogin = length === 2 && isProtocol(words[at - 1] ?? '') && isLogin(behind);
    return { address, protocol, country: about.find(isCountry) ?? '', hasLogin };
  });
}

const isLogin = (words: readonly string[]): boolean =>
  words.length === 2 && !words.some((word) => isCountry(word) || isProtocol(word));

/** Names of fields that hold address and port together, and the address alone. */
const WHOLE = ['ip_port', 'ipport', 'proxy', 'address', 'url', 'uri', 'endpoint', 'proxy_url'];
const HOST = ['ip', 'host', 'ip_address', 'ipaddress', 'address', 'server', 'addr', 'hostname'];
const PORT = ['port', 'server_port', 'proxy_port'];
const PROTOCOL = ['protocol', 'protocols', 'type', 'scheme'];
const COUNTRY = ['country_code', 'countrycode', 'country', 'cc'];
const LOGIN = ['username', 'password', 'user', 'pass'];

/** Whether a field may say where a proxy is. */
export const isPlace = (name: string): boolean => WHOLE.includes(name) || HOST.includes(name);
/** Whether a field is read. */
export const isField = (name: string): boolean =>
  isPlace(name) || [PORT, PROTOCOL, COUNTRY, LOGIN].some((names) => names.includes(name));

/** Reads an item whose fields have names. */
export function itemOfFields(get: (name: string) => string | undefined): Item {
  const any = (names: readonly string[]) => names.map(get).find((value) => value !== undefined);
  const host = any(HOST);
  const port = any(PORT);
  const address =
    host !== undefined && port !== undefined && isAddress(host)
      ? spelled({ host, port: Number(port) })
      : (any(WHOLE) ?? host ?? '');
  return {
    address,
    protocol: any(PROTOCOL) ?? '',
    country: any(COUNTRY) ?? '',
    hasLogin: LOGIN.some((name) => (get(name) ?? '') !== ''),
  };
}
