import { parseAddress } from '../../kernel/mail_address.ts';
import { nearestTo } from '../../kernel/terms/nearest_name.ts';

/** Domains of most people's addresses; a close misspelling means one of them. */
export const FREQUENT_DOMAINS = [
  'gmail.com',
  'googlemail.com',
  'yahoo.com',
  'yahoo.co.uk',
  'hotmail.com',
  'hotmail.co.uk',
  'outlook.com',
  'live.com',
  'msn.com',
  'icloud.com',
  'me.com',
  'aol.com',
  'protonmail.com',
  'proton.me',
  'fastmail.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  't-online.de',
  'orange.fr',
  'free.fr',
  'libero.it',
  'yandex.ru',
  'mail.ru',
  'qq.com',
  '163.com',
] as const;

/** Characters in which a misspelling may differ. Short domains have neighbours that are real. */
const SLIPS_MAX = 2;
const CHARS_MIN = 8;

/** The address that a misspelt one probably means. Undefined: its domain is near to none. */
export function didYouMean(address: string): string | undefined {
  const parsed = parseAddress(address);
  if (!parsed || FREQUENT_DOMAINS.some((one) => one === parsed.domain)) return undefined;
  const near = nearestTo(parsed.domain, FREQUENT_DOMAINS, SLIPS_MAX);
  return near && near.length >= CHARS_MIN ? `${parsed.local}@${near}` : undefined;
}
