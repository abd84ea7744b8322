import providers from 'email-providers';
import roleNames from 'role-based-email-addresses';

import type { Address } from '../../../../shared/kernel/mail_address.ts';
import type { Findings } from '../../../../shared/domains/email/findings.ts';
import { FREE_TOO, NO_ROLES, NOT_DISPOSABLE, NOT_FREE, RELAYS, ROLES_TOO } from './corrections.ts';
import { isBelow, type Domains } from './domains.ts';

const free = new Set([...providers, ...FREE_TOO]);
for (const domain of NOT_FREE) free.delete(domain);
const roles = new Set([...roleNames, ...ROLES_TOO]);
for (const name of NO_ROLES) roles.delete(name);

/** Findings of the lists about an address. */
export function findInLists(
  { local, domain }: Address,
  disposableDomains: Domains,
): Pick<Findings, 'disposable' | 'role' | 'freeMail' | 'relay'> {
  const relay = isBelow(domain, RELAYS);
  const isSpared = relay || isBelow(domain, NOT_DISPOSABLE);
  const disposable = !isSpared && isBelow(domain, disposableDomains);
  return {
    disposable,
    relay,
    role: roles.has(local.toLowerCase().replace(/\+.*/s, '')),
    freeMail: !disposable && !relay && isFreeMail(domain),
  };
}

/** A provider where everyone can have an address. */
export const isFreeMail = (domain: string): boolean => free.has(domain);
