import { getServers } from 'node:dns';

import { hostPortOf, isAddress, type HostPort } from '../../../shared/platform/egress/addresses.ts';
import { askServer } from './exchange.ts';
import type { FoundRecord, RecordType } from './messages.ts';

/** The reason why there are no records. `none`: the name has none of this type. */
type LookupFailure = 'none' | 'no_such_domain' | 'dns_time_out' | 'dns_failure';

export type LookupResult = readonly FoundRecord[] | LookupFailure;

/** A look-up with all its attempts: at most eight records, by preference. */
export type Resolve = (type: RecordType, domain: string) => Promise<LookupResult>;

const DNS_PORT = 53;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/**
 * Asks name servers of ours, which ask those of the domain. Not Node's resolver: that believes
 * records of any name, and keeps any number of them. `timeoutMs` bounds a look-up: each server is
 * asked twice, the second time with twice the time. No name servers: those of the system.
 */
export function openResolver(dnsServers: readonly string[], timeoutMs: number): Resolve {
  const servers = (dnsServers.length > 0 ? dnsServers : getServers()).map(serverOf);
  const share = Math.ceil(timeoutMs / (3 * Math.max(1, servers.length)));

  return async (type, domain) => {
    const question = { type, name: domain.toLowerCase() };
    const failed = new Set<HostPort>();
    for (const ms of [share, 2 * share]) {
      for (const server of servers) {
        if (failed.has(server)) continue;
        const result = await resultOf(server, question, ms);
        if (result === 'dns_failure') failed.add(server);
        else if (result !== 'dns_time_out') return result;
      }
    }
    return failed.size === servers.length ? 'dns_failure' : 'dns_time_out';
  };
}

async function resultOf(
  server: HostPort,
  question: { readonly type: RecordType; readonly name: string },
  ms: number,
): Promise<LookupResult> {
  // It was unreachable, or its answer is unreadable: another server may do better.
  const answer = await askServer(server, question, ms).catch(() => undefined);
  if (answer === null) return 'dns_time_out';
  if (answer?.code === NO_SUCH_NAME) return 'no_such_domain';
  if (!answer || answer.code !== NO_ERROR || answer.isOfOthers) return 'dns_failure';
  return answer.records.length > 0 ? answer.records : 'none';
}

function serverOf(text: string): HostPort {
  if (isAddress(text)) return { host: text, port: DNS_PORT };
  // A server of the system may name an interface (fe80::1%eth0), which must be kept.
  return hostPortOf(text) ?? { host: text, port: DNS_PORT };
}
