import { Resolver } from 'node:dns/promises';

import { isHostName } from '../../../shared/platform/addresses.ts';

/** Where the mail of a domain goes, as DNS says. */
export type MailRoute =
  | { readonly kind: 'mx'; readonly hosts: readonly string[] } // preferred first
  | { readonly kind: 'no_mx' } // it has an address, where mail goes then
  | { readonly kind: 'null_mx' | 'no_mail_server' | 'no_such_domain' }
  | { readonly kind: 'dns_time_out' | 'dns_failure' };

export interface Options {
  /** `address` or `address:port`; none: the system's. */
  readonly dnsServers: readonly string[];
  /** For a question, all its tries together; and as long for its turn to come. */
  readonly timeoutMs?: number;
  /** Questions on their way at once. With 500 UDP loses so many that all slows to a tenth. */
  readonly questionsMax?: number;
  /** How long a domain's mail servers are remembered, and that it has none. */
  readonly ages?: { readonly foundMs: number; readonly missingMs: number };
  readonly domainsMax?: number;
}

/**
 * Finds the mail servers of domains. A domain that is being asked about is not asked about again,
 * and an answer is remembered for a while; a failure is not. It has to cost little more than the
 * look-up itself, so there is no timer and no promise that is not needed.
 */
export function openMailRoutes({
  dnsServers,
  timeoutMs = 3_000,
  questionsMax = 100,
  ages = { foundMs: 3_600_000, missingMs: 600_000 },
  domainsMax = 50_000,
}: Options): (domain: string) => Promise<MailRoute> {
  const resolver = resolverOf(dnsServers, timeoutMs);
  const known = memory<{ route: MailRoute; until: number }>(domainsMax);
  const asked = new Map<string, Promise<MailRoute>>();
  const turns = openTurns(questionsMax, timeoutMs);

  return function routeOf(domain) {
    const before = known.get(domain);
    if (before && before.until > performance.now()) return Promise.resolve(before.route);
    let answer = asked.get(domain);
    if (!answer) asked.set(domain, (answer = ask(domain)));
    return answer;
  };

  async function ask(domain: string): Promise<MailRoute> {
    const route = await look(domain);
    asked.delete(domain);
    if (route.kind === 'dns_time_out' || route.kind === 'dns_failure') return route;
    const age = route.kind === 'mx' || route.kind === 'no_mx' ? ages.foundMs : ages.missingMs;
    known.set(domain, { route, until: performance.now() + age });
    return route;
  }

  async function look(domain: string): Promise<MailRoute> {
    const mx = await answerTo('resolveMx', domain);
    if (typeof mx !== 'string') return routeBy(mx);
    if (mx !== 'none') return { kind: mx };
    const addresses = await Promise.all([
      answerTo('resolve4', domain),
      answerTo('resolve6', domain),
    ]);
    if (addresses.some(Array.isArray)) return { kind: 'no_mx' };
    const failed = addresses.find(
      (answer) => answer === 'dns_time_out' || answer === 'dns_failure',
    );
    return { kind: (failed as 'dns_failure' | undefined) ?? 'no_mail_server' };
  }

  async function answerTo<Q extends 'resolveMx' | 'resolve4' | 'resolve6'>(
    question: Q,
    domain: string,
  ) {
    const turn = turns.take();
    if (turn && !(await turn)) return 'dns_time_out';
    try {
      return (await resolver[question](domain)) as Awaited<ReturnType<Resolver[Q]>>;
    } catch (error) {
      return MEANINGS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'dns_failure';
    } finally {
      turns.leave();
    }
  }
}

function resolverOf(dnsServers: readonly string[], timeoutMs: number): Resolver {
  const system = new Resolver().getServers().length;
  // Each server is tried twice, the second time with twice the patience.
  const share = timeoutMs / (3 * Math.max(1, dnsServers.length || system));
  const resolver = new Resolver({ timeout: Math.ceil(share), tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  return resolver;
}

const MEANINGS: Record<string, 'none' | 'no_such_domain' | 'dns_time_out'> = {
  ENODATA: 'none',
  ENOTFOUND: 'no_such_domain',
  ETIMEOUT: 'dns_time_out',
};

function routeBy(records: readonly { exchange: string; priority: number }[]): MailRoute {
  if (records.every(({ exchange }) => exchange === '' || exchange === '.')) {
    return { kind: 'null_mx' };
  }
  const hosts = records
    .toSorted((a, b) => a.priority - b.priority)
    .flatMap(({ exchange }) => (exchange.includes('.') && isHostName(exchange) ? exchange : []));
  return hosts.length > 0 ? { kind: 'mx', hosts } : { kind: 'no_mail_server' };
}

/**
 * A Map that forgets: of the entries beyond half of `max`, the older half goes at once. To drop the
 * oldest one each time, a Map walks over the holes of all that went before.
 */
function memory<V>(max: number): Pick<Map<string, V>, 'get' | 'set'> {
  let young = new Map<string, V>();
  let old = new Map<string, V>();
  return {
    get: (key) => young.get(key) ?? old.get(key),
    set(key, value) {
      if (young.size >= max / 2) [old, young] = [young, new Map()];
      return young.set(key, value);
    },
  };
}

/** Lets so many go at once; the others wait in the order in which they came, and not for ever. */
function openTurns(atOnceMax: number, patienceMs: number) {
  const waiting = new Set<() => void>();
  let going = 0;
  return {
    /** Undefined: go at once. False: its turn did not come. */
    take(): Promise<boolean> | undefined {
      if (going < atOnceMax) {
        going += 1;
        return undefined;
      }
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(timeUp);
          waiting.delete(go);
          resolve(true);
        };
        const timeUp = setTimeout(() => {
          waiting.delete(go);
          resolve(false);
        }, patienceMs);
        waiting.add(go);
      });
    },
    leave(): void {
      const [next] = waiting;
      if (next) next();
      else going -= 1;
    },
  };
}
