import { isHostName, type Exception } from '../../../shared/platform/egress/addresses.ts';
import { openLookups } from '../dns/lookups.ts';
import type { FoundRecord } from '../dns/messages.ts';
import { openResolver } from '../dns/resolver.ts';
import { openResolverCheck } from '../dns/resolver_check.ts';
import { boundedMap } from './bounded_map.ts';
import { isUnknown, openHostRoutes, type UnknownRecords } from './hosts.ts';

/** The destination of a domain's mail, by DNS. */
export type MailRoute =
  // Hosts by preference. The first one has public addresses.
  | { readonly kind: 'mx'; readonly hosts: readonly string[] }
  | { readonly kind: 'no_mx' } // mail goes to its own address then
  | { readonly kind: 'null_mx' | 'no_mail_server' | 'no_such_domain' }
  | { readonly kind: UnknownRecords } // by the domain's own name servers, or for lack of a turn
  | { readonly kind: 'no_dns' }; // of ours, which tell nothing that can be trusted

/** Routes that failing or lying name servers of ours would give too, so those are checked first. */
const MAY_BE_OUR_FAULT: ReadonlySet<MailRoute['kind']> = new Set([
  'no_such_domain',
  'no_mail_server',
  'no_mx',
  'dns_time_out',
  'dns_failure',
]);

export interface Options {
  /** `address` or `address:port`; none: those of the system. */
  readonly dnsServers: readonly string[];
  /** Time for a look-up with all its attempts, and as long for the wait before it. */
  readonly timeoutMs?: number;
  /** Maximum look-ups in flight. With 500, UDP loses so many that all slows to a tenth. */
  readonly lookupsMax?: number;
  /** Cache times of a domain's mail servers, and of their absence, which its owner may mend. */
  readonly cacheMs?: { readonly found: number; readonly missing: number };
  readonly domainsMax?: number;
  /** Addresses that are allowed for mail servers although they are not public. */
  readonly egressAllow: readonly Exception[];
  /** Port of mail servers: an exception may be for one port. */
  readonly port?: number;
  /** Whether a domain is known to exist, whatever DNS says. */
  readonly isKnown?: (domain: string) => boolean;
}

/** Finds the mail servers of a domain, for a tree of agents: each has its share of look-ups. */
export type FindMailRoute = (domain: string, tree: number) => Promise<MailRoute>;

/**
 * Concurrent callers of one tree share a look-up of a domain, and its answer is cached; a failure
 * is not. The cache must cost little more than the look-up itself, so it makes no timer and no
 * promise without need.
 */
export function openMailRoutes({
  dnsServers,
  timeoutMs = 3_000,
  lookupsMax = 100,
  cacheMs = { found: 3_600_000, missing: 60_000 },
  domainsMax = 50_000,
  isKnown = () => false,
  egressAllow,
  port = 25,
}: Options): FindMailRoute {
  const cache = boundedMap<{ route: MailRoute; until: number }>(domainsMax);
  const inFlight = new Map<string, Promise<MailRoute>>();
  const resolve = openResolver(dnsServers, timeoutMs);
  const lookUp = openLookups(resolve, { timeoutMs, lookupsMax });
  const isTruthful = openResolverCheck(resolve);
  const hosts = { egressAllow, port, hostsMax: domainsMax, cacheMs };
  const hostRouteOf = openHostRoutes(lookUp, hosts);

  return function routeOf(domain, tree) {
    const cached = cache.get(domain);
    if (cached && cached.until > performance.now()) return Promise.resolve(cached.route);
    const key = `${tree} ${domain}`;
    let answer = inFlight.get(key);
    if (!answer) {
      answer = ask(domain, tree);
      inFlight.set(key, answer);
    }
    return answer;
  };

  async function ask(domain: string, tree: number): Promise<MailRoute> {
    const route = await find(domain, tree);
    const isTrusted = MAY_BE_OUR_FAULT.has(route.kind) ? await isTruthful() : true;
    inFlight.delete(`${tree} ${domain}`);
    if (!isTrusted) return { kind: 'no_dns' };
    // DNS says that a provider which exists for certain does not.
    if (route.kind === 'no_such_domain' && isKnown(domain)) return { kind: 'dns_failure' };
    if (isUnknown(route.kind)) return route;
    const isFound = route.kind === 'mx' || route.kind === 'no_mx';
    const ms = isFound ? cacheMs.found : cacheMs.missing;
    cache.set(domain, { route, until: performance.now() + ms });
    return route;
  }

  async function find(domain: string, tree: number): Promise<MailRoute> {
    const from = performance.now();
    const mx = await lookUp('MX', domain, tree);
    if (typeof mx !== 'string') return routeBy(mx, tree, from + 2 * timeoutMs);
    if (mx !== 'none') return { kind: mx };
    const route = await hostRouteOf(domain, tree);
    if (route === 'public') return { kind: 'no_mx' };
    return { kind: route === 'none' ? 'no_mail_server' : route };
  }

  /** The route of the first host with public addresses. After `until` no more are looked up. */
  async function routeBy(
    records: readonly FoundRecord[],
    tree: number,
    until: number,
  ): Promise<MailRoute> {
    if (records.every(({ value }) => value === '')) return { kind: 'null_mx' };
    const named = records.flatMap(({ value }) =>
      value.includes('.') && isHostName(value) ? value : [],
    );
    let failed: UnknownRecords | undefined;
    for (const [n, host] of named.entries()) {
      if (performance.now() >= until) return { kind: failed ?? 'dns_time_out' };
      const route = await hostRouteOf(host, tree);
      if (route === 'public') return { kind: 'mx', hosts: named.slice(n) };
      if (route !== 'none' && failed !== 'no_turn') failed = route;
    }
    return { kind: failed ?? 'no_mail_server' };
  }
}
