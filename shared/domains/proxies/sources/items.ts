import { isAddress, spelled } from '../../../platform/egress/addresses.ts';

/** One line or object of a source: its fields as they are written, '' where there is none. */
export interface Item {
  readonly address: string;
  readonly protocol: string;
  readonly country: string;
}

/** Reads the items of a source, piece by piece. Both throw BadSource. */
export interface Items {
  write(bytes: Uint8Array): void;
  end(): void;
}

/** A source that is no list. The message is for the operator. */
export class BadSource extends Error {}

/** Reads `host:port` or `host, port`, either with words about it behind. */
export function itemOfWords([first = '', second = '', ...more]: readonly string[]): Item {
  const isSplit = isAddress(first) && /^\d{1,5}$/.test(second);
  const words = isSplit ? more : [second, ...more];
  return {
    address: isSplit ? spelled({ host: first, port: Number(second) }) : first,
    protocol: words.find((word) => /^(socks|https?)/i.test(word)) ?? '',
    country: words.find((word) => /^[a-z]{2}$/i.test(word)) ?? '',
  };
}

/** Names of fields that hold address and port together, and the address alone. */
export const WHOLE = ['ip_port', 'proxy', 'address', 'url'];
export const HOST = ['ip', 'host', 'ip_address', 'address'];

/** Reads an item whose fields have names. */
export function itemOfFields(get: (name: string) => string | undefined): Item {
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
