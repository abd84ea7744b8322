import {
  isHostName,
  isOpenInDns,
  type Exception,
} from '../../../shared/platform/egress/addresses.ts';
import type { LookUp } from '../dns/lookups.ts';
import { boundedMap } from './bounded_map.ts';

/** The reason why it is not known whether there are records. */
export type UnknownRecords = 'no_turn' | 'dns_time_out' | 'dns_failure';

/**
 * Addresses of a mail host: a public one (or one that EGRESS_ALLOW allows), or none. Others, which
 * are not public, are left out.
 */
type HostRoute = 'public' | 'none' | UnknownRecords;

export const isUnknown = (route: string): route is UnknownRecords =>
  route === 'no_turn' || route === 'dns_time_out' || route === 'dns_failure';

interface HostSettings {
  readonly egressAllow: readonly Exception[];
  /** Port of mail servers. */
  readonly port: number;
  readonly hostsMax: number;
  /** Cache times for hosts with public addresses, and for others. */
  readonly cacheMs: { readonly found: number; readonly missing: number };
}

/**
 * Looks hosts up. Many domains share theirs, so results are cached, except failures.
 */
export function openHostRoutes(
  lookUp: LookUp,
  { egressAllow, port, hostsMax, cacheMs }: HostSettings,
): (host: string, tree: number) => Promise<HostRoute> {
  const cache = boundedMap<{ route: HostRoute; until: number }>(hostsMax);

  return async (host, tree) => {
    const cached = cache.get(host);
    if (cached && cached.until > performance.now()) return cached.route;
    const route = await find(host, tree);
    if (isUnknown(route)) return route;
    const ms = route === 'public' ? cacheMs.found : cacheMs.missing;
    cache.set(host, { route, until: performance.now() + ms });
    return route;
  };

  /** Applies the rule of the egress guard: addresses that are not public are left out. */
  async function find(host: string, tree: number): Promise<HostRoute> {
    if (!isHostName(host)) return 'none';
    const answers = await Promise.all([lookUp('A', host, tree), lookUp('AAAA', host, tree)]);
    const found = answers.flatMap((answer) => (typeof answer === 'string' ? [] : answer));
    if (found.length > 0) {
      return found.some(({ value }) => isOpenInDns({ host: value, port }, egressAllow))
        ? 'public'
        : 'none';
    }
    const failed = answers.filter((answer) => typeof answer === 'string').find(isUnknown);
    return failed ?? 'none';
  }
}
