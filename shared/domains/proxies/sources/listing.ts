import {
  hostPortOf,
  isAddress,
  isOpen,
  spelled,
  type Exception,
} from '../../../platform/egress/addresses.ts';
import { itemsOf } from './formats.ts';
import { BadSource, withLoginOf, type Item } from './items.ts';

/** The list of a source: each good entry once, with the country that the source gives it. */
export interface Listing {
  /** `address:port` in its canonical form, and a declared country or ''. */
  readonly entries: ReadonlyMap<string, string>;
  /** Number of entries refused, by reason. */
  readonly refused: Readonly<Record<Reason, number>>;
}

type Reason = 'duplicate' | 'unreadable' | 'password' | 'protocol' | 'not_public';

/** Maximum entries of all sources together: they are in memory until they are in the pool. */
export const ENTRIES_MAX = 1_000_000;
/** Reads the answer of a source, piece by piece. Both methods throw BadSource. */
export interface ListingReader {
  write(bytes: Uint8Array): void;
  end(): Listing;
}

/**
 * Opens a reader of a list in any form that formats.ts knows. Only addresses count: a name could
 * lead anywhere later. Private and reserved addresses are left out, and so are proxies with a
 * login. Where a source has several lists, its longest one counts. A source is refused as a whole
 * only if nothing in it is a proxy.
 */
export function openListing({ exceptions = [], entriesMax = ENTRIES_MAX }: Limits): ListingReader {
  const lists = new Map<string, { entries: Map<string, string>; refused: Refused }>();
  let read = 0;
  const items = itemsOf((item) => {
    read += 1;
    if (read > entriesMax) throw new BadSource(`lists more than ${entriesMax} entries`);
    const { list = '' } = item;
    let into = lists.get(list);
    if (!into) lists.set(list, (into = { entries: new Map(), refused: { ...NONE_REFUSED } }));
    const { entries, refused } = into;
    const entry = entryOf(item, exceptions);
    if (typeof entry === 'string') refused[entry] += 1;
    else if (entries.has(entry.address)) refused.duplicate += 1;
    else entries.set(entry.address, entry.country);
  });
  return {
    write: (bytes) => items.write(bytes),
    end() {
      items.end();
      if (read === 0) throw new BadSource('is empty');
      const [longest] = [...lists.values()].toSorted(
        (a, b) => b.entries.size - a.entries.size || proxiesIn(b.refused) - proxiesIn(a.refused),
      );
      const { entries, refused } = longest!;
      if (entries.size === 0 && proxiesIn(refused) === 0) {
        throw new BadSource(`is no list of proxies: ${read} of ${read} are unreadable`);
      }
      return { entries, refused };
    },
  };
}

type Refused = Record<Reason, number>;
const NONE_REFUSED: Readonly<Refused> = {
  duplicate: 0,
  unreadable: 0,
  password: 0,
  protocol: 0,
  not_public: 0,
};

/** How many of the refused entries are proxies all the same. */
const proxiesIn = ({ password, protocol, not_public: inner }: Refused): number =>
  password + protocol + inner;

interface Limits {
  /** Addresses accepted although they are not public. */
  readonly exceptions?: readonly Exception[];
  /** Maximum entries; a source that lists more is refused. */
  readonly entriesMax?: number;
}

function entryOf(
  { address, protocol, country, hasLogin = false }: Item,
  exceptions: readonly Exception[],
): { address: string; country: string } | Reason {
  const [, scheme = protocol, rest = ''] = /^(?:(\w+):\/\/)?([^]*)$/.exec(address) ?? [];
  const behind = rest.lastIndexOf('@') + 1;
  const [plain = ''] = /^[^/?#]*/.exec(rest.slice(behind)) ?? [];
  const decorated = withLoginOf(rest);
  const hostPort = hostPortOf(plain) ?? hostPortOf(decorated ?? '');
  if (!hostPort || !isAddress(hostPort.host)) return 'unreadable';
  if (behind > 0 || hasLogin || decorated !== undefined) return 'password';
  if (!/^(socks5h?|socks|)$/i.test(scheme)) return 'protocol';
  if (!isOpen(hostPort, exceptions)) return 'not_public';
  const code = country.toUpperCase();
  return { address: spelled(hostPort), country: /^[A-Z]{2}$/.test(code) ? code : '' };
}
