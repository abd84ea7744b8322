import type { MxRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';

import { openSlots } from './slots.ts';

/** The look-ups, and the records that they find. */
interface Records {
  readonly resolveMx: MxRecord[];
  readonly resolve4: string[];
  readonly resolve6: string[];
}
export type Lookup = keyof Records;

/** Why there are no records. `none`: the name has none of this type. */
export type LookupFailure = 'none' | 'no_such_domain' | 'dns_time_out' | 'dns_failure';

export type LookupResult<L extends Lookup> = Records[L] | LookupFailure;

/** `timeoutMs` bounds a look-up with all its attempts, and likewise its wait for a slot. */
export function openLookups({
  dnsServers,
  timeoutMs,
  lookupsMax,
}: {
  dnsServers: readonly string[];
  timeoutMs: number;
  lookupsMax: number;
}): <L extends Lookup>(lookup: L, domain: string) => Promise<LookupResult<L>> {
  const resolver = resolverOf(dnsServers, timeoutMs);
  const slots = openSlots(lookupsMax, timeoutMs);

  return async <L extends Lookup>(lookup: L, domain: string): Promise<LookupResult<L>> => {
    const waiting = slots.acquire();
    if (waiting && !(await waiting)) return 'dns_time_out';
    try {
      return (await resolver[lookup](domain)) as Records[L];
    } catch (error) {
      return FAILURES[(error as NodeJS.ErrnoException).code ?? ''] ?? 'dns_failure';
    } finally {
      slots.release();
    }
  };
}

function resolverOf(dnsServers: readonly string[], timeoutMs: number): Resolver {
  const system = new Resolver().getServers().length;
  // Each server is asked twice, the second time with twice the timeout.
  const share = timeoutMs / (3 * Math.max(1, dnsServers.length || system));
  const resolver = new Resolver({ timeout: Math.ceil(share), tries: 2 });
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  return resolver;
}

const FAILURES: Record<string, LookupFailure> = {
  ENODATA: 'none',
  ENOTFOUND: 'no_such_domain',
  ETIMEOUT: 'dns_time_out',
};
