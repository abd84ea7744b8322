import type { MxRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';

import { boundedMap } from './bounded_map.ts';
import { shareOf, openSlots, type Share } from './slots.ts';

/** The look-ups, and the records that they find. */
interface Records {
  readonly resolveMx: MxRecord[];
  readonly resolve4: string[];
  readonly resolve6: string[];
  readonly resolveNs: string[];
}
export type Lookup = keyof Records;

/** Why there are no records. `none`: the name has none of this type. */
export type LookupFailure = 'none' | 'no_such_domain' | 'dns_time_out' | 'dns_failure';

export type LookupResult<L extends Lookup> = Records[L] | LookupFailure;

/** A look-up, with all its attempts. */
export type Resolve = <L extends Lookup>(lookup: L, domain: string) => Promise<LookupResult<L>>;

const SHARES_MAX = 20_000;

/**
 * Look-ups of domains for trees of agents. A domain that never answers holds a slot until the time
 * is up, and costs nothing: so a tree gets half of the slots and a zone a fifth, and the fewer the
 * more of its look-ups had no answer. `timeoutMs` bounds the wait for a slot.
 */
export function openLookups(
  resolve: Resolve,
  { timeoutMs, lookupsMax }: { timeoutMs: number; lookupsMax: number },
): <L extends Lookup>(lookup: L, domain: string, tree: number) => Promise<LookupResult<L>> {
  const slots = openSlots(lookupsMax, timeoutMs);
  const trees = boundedMap<Share>(SHARES_MAX);
  const zones = boundedMap<Share>(SHARES_MAX);
  const share = (of: typeof trees, key: string, max: number, min: number): Share => {
    let found = of.get(key);
    if (!found) of.set(key, (found = shareOf(Math.max(min, Math.floor(max)), min)));
    return found;
  };

  return async (lookup, domain, tree) => {
    const shares = [
      share(trees, String(tree), lookupsMax / 2, 2),
      share(zones, zoneOf(domain), lookupsMax / 5, 1),
    ] as const;
    const waiting = slots.acquire(shares);
    if (waiting && !(await waiting)) return 'dns_time_out';
    const result = await resolve(lookup, domain);
    slots.release(shares, result !== 'dns_time_out');
    return result;
  };
}

/**
 * The domain that somebody registered, more or less: below a short second label (co.uk, com.au) it
 * has three. A list of all public suffixes would be exact.
 */
function zoneOf(domain: string): string {
  const labels = domain.split('.');
  return labels.slice((labels.at(-2)?.length ?? 0) <= 3 ? -3 : -2).join('.');
}

/** `timeoutMs` bounds a look-up. No name servers: the system's. */
export function openResolver(dnsServers: readonly string[], timeoutMs: number): Resolve {
  const system = new Resolver().getServers().length;
  // Each server is asked twice, the second time with twice the timeout.
  const share = timeoutMs / (3 * Math.max(1, dnsServers.length || system));
  const resolver = new Resolver({ timeout: Math.ceil(share), tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);

  return async <L extends Lookup>(lookup: L, domain: string): Promise<LookupResult<L>> => {
    try {
      return (await resolver[lookup](domain)) as Records[L];
    } catch (error) {
      return FAILURES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'dns_failure';
    }
  };
}

const FAILURES: Record<string, LookupFailure> = {
  ENODATA: 'none',
  ENOTFOUND: 'no_such_domain',
  ETIMEOUT: 'dns_time_out',
};
