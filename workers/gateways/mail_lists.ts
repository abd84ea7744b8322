import freeDomains from 'free-email-domains';
import mailchecker from 'mailchecker';
import roleNames from 'role-based-email-addresses';

import type { Address } from '../../shared/email/address.ts';
import type { Findings } from '../../shared/email/findings.ts';

const disposableDomains = mailchecker.blacklist();
const free = new Set(freeDomains);
const roles = new Set(roleNames);

/** What kept lists know of an address. */
export function listed({
  local,
  domain,
}: Address): Pick<Findings, 'disposable' | 'role' | 'freeMail'> {
  const disposable = selfAndAbove(domain).some((name) => disposableDomains.has(name));
  return {
    disposable,
    role: roles.has(local.toLowerCase().replace(/\+.*/s, '')),
    freeMail: !disposable && free.has(domain),
  };
}

/** A domain below one that gives addresses away does too: a.b.c, b.c. */
function selfAndAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, n) => labels.slice(n).join('.'));
}
