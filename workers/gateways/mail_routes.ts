import { Resolver } from 'node:dns/promises';

import { isHostName } from '../../shared/addresses.ts';

/** Where the mail of a domain goes, as DNS says. */
export type MailRoute =
  | { readonly kind: 'mx'; readonly hosts: readonly string[] } // preferred first
  | { readonly kind: 'no_mx' } // it has an address, where mail goes then
  | { readonly kind: 'null_mx' | 'no_mail_server' | 'no_such_domain' }
  | { readonly kind: 'dns_time_out' | 'dns_failure' };

export interface Options {
  /** `address` or `address:port`; none: the system's. */
  readonly dnsServers: readonly string[];
  /** For everything that has to be asked about a domain, its turn included. */
  readonly timeoutMs?: number;
  /** Questions on their way at once. With 500 UDP loses so many that all slows to a tenth. */
  readonly questionsMax?: number;
  /** How long a domain's mail servers are remembered, and that it has none. */
  readonly ages?: { readonly foundMs: number; readonly missingMs: number };
  readonly domainsMax?: number;
}

/**
 * Finds the mail servers of domains. A domain that is being asked about is not asked about again,
 * and an answer is remembered for a while; a failure is not.
 */
export function openMailRoutes({
  dnsServers,
  timeoutMs = 4_000,
  questionsMax = 100,
  ages = { foundMs: 3_600_000, missingMs: 600_000 },
  domainsMax = 50_000,
}: Options): (domain: string) => Promise<MailRoute> {
  // Two tries, the second with twice the patience: together a little less than timeoutMs.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs * 0.3), tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const known = new Map<string, { route: MailRoute; until: number }>();
  const asked = new Map<string, Promise<MailRoute>>();
  const inTurn = turns(questionsMax);

  return function routeOf(domain) {
    const before = known.get(domain);
    if (before && before.until > performance.now()) return Promise.resolve(before.route);
    let answer = asked.get(domain);
    if (!answer) asked.set(domain, (answer = within(timeoutMs, ask(domain))));
    return answer;
  };

  async function ask(domain: string): Promise<MailRoute> {
    try {
      const route = await look(domain);
      if (route.kind !== 'dns_time_out' && route.kind !== 'dns_failure') remember(domain, route);
      return route;
    } finally {
      asked.delete(domain);
    }
  }

  function remember(domain: string, route: MailRoute): void {
    known.delete(domain); // A Map is in the order of insertion: the oldest goes first.
    if (known.size >= domainsMax) known.delete(known.keys().next().value!);
    const age = route.kind === 'mx' || route.kind === 'no_mx' ? ages.foundMs : ages.missingMs;
    known.set(domain, { route, until: performance.now() + age });
  }

  async function look(domain: string): Promise<MailRoute> {
    const mx = await answerTo(() => resolver.resolveMx(domain));
    if (Array.isArray(mx)) return routeBy(mx);
    if (mx !== 'none') return { kind: mx };
    const addresses = await Promise.all([
      answerTo(() => resolver.resolve4(domain)),
      answerTo(() => resolver.resolve6(domain)),
    ]);
    if (addresses.some(Array.isArray)) return { kind: 'no_mx' };
    const failed = addresses.find(
      (answer) => answer === 'dns_time_out' || answer === 'dns_failure',
    );
    return { kind: (failed as 'dns_failure' | undefined) ?? 'no_mail_server' };
  }

  async function answerTo<T>(question: () => Promise<T[]>) {
    try {
      return await inTurn(question);
    } catch (error) {
      return MEANINGS[(error as NodeJS.ErrnoException).code ?? ''] ?? 'dns_failure';
    }
  }
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

async function within(ms: number, answer: Promise<MailRoute>): Promise<MailRoute> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise<MailRoute>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'dns_time_out' }), ms);
  });
  try {
    return await Promise.race([answer, timeUp]);
  } finally {
    clearTimeout(timer);
  }
}

/** Lets so many go at once; the others wait in the order in which they came. */
function turns(atOnceMax: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let going = 0;
  return async (work) => {
    if (going >= atOnceMax) await new Promise<void>((go) => waiting.push(go));
    else going += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else going -= 1;
    }
  };
}
