import {
  hostPortOf,
  isAddress,
  isOpen,
  spelled,
  type Exception,
} from '../../platform/egress/addresses.ts';
import { BadSource, itemsOf, type Item } from './formats.ts';

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
/** A larger share than this, and it is no list of proxies: an error page, say. */
const UNREADABLE_SHARE_MAX = 0.5;
/** Entries read before the event loop gets its turn, so that other jobs of the process go on. */
const READ_AT_ONCE = 5_000;

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
    if (read % READ_AT_ONCE === 0) await new Promise(setImmediate);
    const entry = entryOf(item, exceptions);
    if (typeof entry === 'string') refused[entry] += 1;
    else if (entries.has(entry.address)) refused.duplicate += 1;
    else entries.set(entry.address, entry.country);
  }
  if (read === 0) throw new BadSource('is empty');
  if (refused.unreadable / read > UNREADABLE_SHARE_MAX) {
    throw new BadSource(`is no list of proxies: ${refused.unreadable} of ${read} are unreadable`);
  }
  return { entries, refused };
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
