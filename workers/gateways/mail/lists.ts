import providers from 'email-providers';
import mailchecker from 'mailchecker';
import roleNames from 'role-based-email-addresses';

import type { Address } from '../../../shared/kernel/mail_address.ts';
import type { Findings } from '../../../shared/domains/email/findings.ts';

const disposableDomains = mailchecker.blacklist();
const free = new Set(providers);
free.delete('example.com'); // Reserved for examples (RFC 2606), not a provider.
const roles = new Set(roleNames);

/** Findings of the lists of npm packages about an address. */
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

/** Whether a domain is below a disposable one, as a.b.c is below b.c: then it is disposable too. */
function isBelowDisposable(domain: string): boolean {
  for (let name = domain; name.includes('.'); name = name.slice(name.indexOf('.') + 1)) {
    if (disposableDomains.has(name)) return true;
  }
  return false;
}
