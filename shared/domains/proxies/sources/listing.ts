import {
  hostPortOf,
  isAddress,
  isOpen,
  spelled,
  type Exception,
} from '../../../platform/egress/addresses.ts';
import { itemsOf } from './formats.ts';
import { BadSource, type Item } from './items.ts';

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
/** Maximum share of unreadable entries: above it the source is no list but, say, an error page. */
const UNREADABLE_SHARE_MAX = 0.5;

/** Reads the answer of a source, piece by piece. Both methods throw BadSource. */
export interface ListingReader {
  write(bytes: Uint8Array): void;
  end(): Listing;
}

/**
 * Opens a reader of one proxy a line (`host:port`, `socks5://host:port`), CSV with or without a
 * header, or JSON (strings or objects). Only addresses count: a name could lead anywhere later.
 * Private and reserved addresses are refused, and so are proxies with a password.
 */
export function openListing({ exceptions = [], entriesMax = ENTRIES_MAX }: Limits): ListingReader {
  const entries = new Map<string, string>();
  const refused = { duplicate: 0, unreadable: 0, password: 0, protocol: 0, not_public: 0 };
  let read = 0;
  const items = itemsOf((item) => {
    read += 1;
    if (read > entriesMax) throw new BadSource(`lists more than ${entriesMax} entries`);
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
      if (refused.unreadable / read > UNREADABLE_SHARE_MAX) {
        const { unreadable } = refused;
        throw new BadSource(`is no list of proxies: ${unreadable} of ${read} are unreadable`);
      }
      return { entries, refused };
    },
  };
}

interface Limits {
  /** Addresses accepted although they are not public. */
  readonly exceptions?: readonly Exception[];
  /** Maximum entries; a source that lists more is refused. */
  readonly entriesMax?: number;
}

function entryOf(
  { address, protocol, country }: Item,
  exceptions: readonly Exception[],
): { address: string; country: string } | Reason {
  const [, scheme = protocol, rest = ''] = /^(?:(\w+):\/\/)?([^]*)$/.exec(address) ?? [];
  const behind = rest.lastIndexOf('@') + 1;
  const hostPort = hostPortOf(rest.slice(behind).replace(/\/$/, ''));
  if (!hostPort || !isAddress(hostPort.host)) return 'unreadable';
  if (behind > 0) return 'password';
  if (!/^(socks5h?|socks|)$/i.test(scheme)) return 'protocol';
  if (!isOpen(hostPort, exceptions)) return 'not_public';
  const code = country.toUpperCase();
  return { address: spelled(hostPort), country: /^[A-Z]{2}$/.test(code) ? code : '' };
}
