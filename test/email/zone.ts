import type { Answer } from 'dns-packet';

import { startNameServer, type NameServer } from '../name_server.ts';

/** Records of a name: `{ MX: ['mx.example'], A: ['127.0.0.1'] }`, or how asking for it fails. */
export type Name =
  | { readonly MX?: readonly string[]; readonly A?: readonly string[]; readonly AAAA?: string[] }
  | 'SERVFAIL'
  | 'REFUSED'
  | 'no answer';

/** A public address, which nobody connects to: no mail server is asked unless a test says so. */
export const PUBLIC = '198.41.0.4';

/** Answers of name servers that are to be trusted. */
const REAL: Record<string, Answer[]> = {
  'NS com': [{ type: 'NS', name: 'com', ttl: 60, data: 'a.gtld-servers.net' }],
};

/**
 * A name server for these names, and for `com`; no other exists. `*.a.example` stands for all names
 * below a.example. Names may be added later. A host of mail that has no line of its own has a
 * public address.
 */
export const startZone = (names: Record<string, Name>): Promise<NameServer> =>
  startNameServer(answersOf(names));

/** Answers of such a server to a question. */
export const answersOf =
  (names: Record<string, Name>) =>
  (type: string, name: string): Answer[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'no answer' => {
    const real = REAL[`${type} ${name}`];
    if (real && !(name in names)) return real;
    const isMailHost = type === 'A' && !names[name] && hostsOf(names).has(name);
    const host: Name | undefined = isMailHost ? { A: [PUBLIC] } : undefined;
    const found = host ?? names[name] ?? names[name.replace(/^[^.]*/, '*')];
    if (!found) return 'NXDOMAIN';
    if (typeof found === 'string') return found;
    const { MX = [], A = [], AAAA = [] } = found;
    const common = { name, ttl: 60 };
    if (type === 'MX') {
      return MX.map((exchange, n) => ({
        ...common,
        type: 'MX',
        data: { exchange, preference: (n + 1) * 10 },
      }));
    }
    if (type === 'A') return A.map((data) => ({ ...common, type: 'A', data }));
    if (type === 'AAAA') return AAAA.map((data) => ({ ...common, type: 'AAAA', data }));
    return [];
  };

/** The hosts that the domains of a zone name as mail servers. */
const hostsOf = (names: Record<string, Name>) =>
  new Set(
    Object.values(names).flatMap((found) => (typeof found === 'string' ? [] : (found.MX ?? []))),
  );
