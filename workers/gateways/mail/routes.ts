import { isHostName } from '../../../shared/platform/egress/addresses.ts';
import { boundedMap } from './bounded_map.ts';
import { openLookups, openResolver } from './lookups.ts';
import { openResolverCheck } from './resolver_check.ts';

/** Where the mail of a domain goes, as DNS says. */
export type MailRoute =
  | { readonly kind: 'mx'; readonly hosts: readonly string[] } // preferred first
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
}: Options): FindMailRoute {
  const cache = boundedMap<{ route: MailRoute; until: number }>(domainsMax);
  const inFlight = new Map<string, Promise<MailRoute>>();
  const resolve = openResolver(dnsServers, timeoutMs);
  const lookUp = openLookups(resolve, { timeoutMs, lookupsMax });
  const isTruthful = openResolverCheck(resolve);

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
    const mx = await lookUp('resolveMx', domain, tree);
    if (typeof mx !== 'string') return routeBy(mx);
    if (mx !== 'none') return { kind: mx };
    const addresses = await Promise.all([
      lookUp('resolve4', domain, tree),
      lookUp('resolve6', domain, tree),
    ]);
    if (addresses.some(Array.isArray)) return { kind: 'no_mx' };
    const failed = addresses.find(
      (answer) => answer === 'dns_time_out' || answer === 'dns_failure',
    );
    return { kind: (failed as 'dns_failure' | undefined) ?? 'no_mail_server' };
  }
}

function routeBy(records: readonly { exchange: string; priority: number }[]): MailRoute {
  if (records.every(({ exchange }) => exchange === '' || exchange === '.')) {
    return { kind: 'null_mx' };
  }
  const hosts = records
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap(({ exchange }) => (exchange.includes('.') && isHostName(exchange) ? exchange : []));
  return hosts.length > 0 ? { kind: 'mx', hosts } : { kind: 'no_mail_server' };
}
