import { isHostName, type Exception } from '../../../shared/platform/egress/addresses.ts';
import { openLookups } from '../dns/lookups.ts';
import type { FoundRecord } from '../dns/messages.ts';
import { openResolver } from '../dns/resolver.ts';
import { openResolverCheck } from '../dns/resolver_check.ts';
import { boundedMap } from './bounded_map.ts';
import { openHostRoutes } from './hosts.ts';

/** Where the mail of a domain goes, as DNS says. */
export type MailRoute =
  // Preferred first. The first one has public addresses.
  | { readonly kind: 'mx'; readonly hosts: readonly string[] }
  | { readonly kind: 'no_mx' } // it has an address, where mail goes then
  | { readonly kind: 'null_mx' | 'no_mail_server' | 'no_such_domain' }
  | { readonly kind: 'dns_time_out' | 'dns_failure' };

export interface Options {
  /** `address` or `address:port`; none: the system's. */
  readonly dnsServers: readonly string[];
  /** For a look-up with all its attempts; and as long for the wait before it. */
  readonly timeoutMs?: number;
  /** Look-ups in flight. With 500 UDP loses so many that all slows to a tenth. */
  readonly lookupsMax?: number;
  /** How long the mail servers of a domain are cached, and that it has none. */
  readonly cacheMs?: { readonly found: number; readonly missing: number };
  readonly domainsMax?: number;
  /** Addresses that mail servers may have although they are not public. */
  readonly egressAllow: readonly Exception[];
  /** Where mail servers listen: an exception may be for one port. */
  readonly port?: number;
  /** Whether a domain exists, whatever DNS says. */
  readonly isKnown?: (domain: string) => boolean;
}

/** Finds the mail servers of a domain, for a tree of agents: each has its share of the look-ups. */
export type FindMailRoute = (domain: string, tree: number) => Promise<MailRoute>;

/**
 * Callers of one tree that ask for a domain at once share one look-up, and its answer is cached; a
 * failure is not. It has to cost little more than the look-up itself, so it makes no timer and no
 * promise that is not needed.
 */
export function openMailRoutes({
  dnsServers,
  timeoutMs = 3_000,
  lookupsMax = 100,
  cacheMs = { found: 3_600_000, missing: 600_000 },
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
  const hosts = { egressAllow, port, hostsMax: domainsMax, cacheMs: cacheMs.found };
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
    const isTrusted = await isToBeTrusted(domain, route);
    inFlight.delete(`${tree} ${domain}`);
    if (!isTrusted) return { kind: 'dns_failure' };
    if (route.kind === 'dns_time_out' || route.kind === 'dns_failure') return route;
    const isFound = route.kind === 'mx' || route.kind === 'no_mx';
    const ms = isFound ? cacheMs.found : cacheMs.missing;
    cache.set(domain, { route, until: performance.now() + ms });
    return route;
  }

  /** To take a failure of our name servers for an answer would be charged for. */
  async function isToBeTrusted(domain: string, { kind }: MailRoute): Promise<boolean> {
    if (kind === 'no_such_domain' && isKnown(domain)) return false;
    const isNoMail = kind === 'no_such_domain' || kind === 'no_mail_server' || kind === 'no_mx';
    return !isNoMail || isTruthful();
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

  /** By the first host that leads to public addresses. After `until` no other is looked up. */
  async function routeBy(
    records: readonly FoundRecord[],
    tree: number,
    until: number,
  ): Promise<MailRoute> {
    if (records.every(({ value }) => value === '')) return { kind: 'null_mx' };
    const named = records.flatMap(({ value }) =>
      value.includes('.') && isHostName(value) ? value : [],
    );
    let failed: 'dns_time_out' | 'dns_failure' | undefined;
    for (const [n, host] of named.entries()) {
      if (performance.now() >= until) return { kind: failed ?? 'dns_time_out' };
      const route = await hostRouteOf(host, tree);
      if (route === 'public') return { kind: 'mx', hosts: named.slice(n) };
      if (route !== 'none') failed = route;
    }
    return { kind: failed ?? 'no_mail_server' };
  }
}
