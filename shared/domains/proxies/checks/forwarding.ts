import { isAddress } from '../../../platform/egress/addresses.ts';

/**
 * The usual classes of what a proxy reveals. elite: nothing. anonymous: that there is a proxy.
 * transparent: the address of its user too.
 */
export const ANONYMITIES = ['elite', 'anonymous', 'transparent'] as const;
export type Anonymity = (typeof ANONYMITIES)[number];

/** Headers that proxies add to requests. */
const HEADERS = [
  'via',
  'forwarded',
  'x-forwarded-for',
  'forwarded-for',
  'x-forwarded',
  'x-real-ip',
  'x-client-ip',
  'client-ip',
  'true-client-ip',
  'cf-connecting-ip',
  'x-originating-ip',
  'proxy-connection',
  'x-proxy-id',
  'x-bluecoat-via',
] as const;
const ADDRESSES_MAX = 8;

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The names of a request's forwarding headers and the addresses in them, as one line. Addresses
 * that our own routers added to X-Forwarded-For are left out.
 */
export function seenIn(headers: Headers, trustedHops: number): string {
  const names: string[] = [];
  const addresses = new Set<string>();
  for (const name of HEADERS) {
    const text = [headers[name] ?? []].flat().join(',');
    const entries = text.split(',').map((entry) => entry.trim());
    const told =
      name === 'x-forwarded-for' && trustedHops > 0 ? entries.slice(0, -trustedHops) : entries;
    if (told.join('') === '') continue;
    names.push(name);
    for (const word of told.join(' ').split(/[\s;,="[\]]+/)) {
      const address = word.replace(/^((?:\d+\.){3}\d+):\d+$/, '$1');
      if (isAddress(address) && addresses.size < ADDRESSES_MAX) addresses.add(address);
    }
  }
  return [...names, ...addresses].join(' ');
}

/**
 * Classifies a proxy by what the judge saw. `direct` is the same for a request of ours without a
 * proxy, with our address: headers that routers of the judge add are in both.
 */
export function anonymityOf(
  seen: string,
  direct: { readonly seen: string; readonly address: string },
): Anonymity {
  const usual = new Set(direct.seen.split(' '));
  const words = seen.split(' ').filter((word) => word !== '');
  const added = words.filter((word) => !isAddress(word) && !usual.has(word));
  if (added.length === 0) return 'elite';
  return words.includes(direct.address) ? 'transparent' : 'anonymous';
}
