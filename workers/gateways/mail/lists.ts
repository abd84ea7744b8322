import providers from 'email-providers';
import mailchecker from 'mailchecker';
import roleNames from 'role-based-email-addresses';

import type { Address } from '../../../shared/email/address.ts';
import type { Findings } from '../../../shared/email/findings.ts';

const disposableDomains = mailchecker.blacklist();
const free = new Set(providers);
free.delete('example.com'); // Reserved for examples (RFC 2606), and no provider.
const roles = new Set(roleNames);

/** What the lists of npm packages say about an address. */
export function findInLists({
  local,
  domain,
}: Address): Pick<Findings, 'disposable' | 'role' | 'freeMail'> {
  const disposable = isBelowDisposable(domain);
  return {
    disposable,
    role: roles.has(local.toLowerCase().replace(/\+.*/s, '')),
    freeMail: !disposable && isFreeMail(domain),
  };
}

/** A provider where everyone can have an address. */
export const isFreeMail = (domain: string): boolean => free.has(domain);

/** A domain below a disposable one is disposable too: a.b.c, b.c. */
function isBelowDisposable(domain: string): boolean {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (disposableDomains.has(name)) return true;
  }
  return false;
}
