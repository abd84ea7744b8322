import { parseAddress } from '../../kernel/mail_address.ts';
import { bareAddress } from './bare_address.ts';
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
  'mail.com',
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

/**
 * The address that a misspelt one probably means. Undefined: its domain is near to none. Lists of
 * disposable domains have many misspelt ones (gmial.com), but also names that are meant.
 */
export function didYouMean(address: string, isDisposable = false): string | undefined {
  // Without characters that nobody sees, and with common forms of letters (UAX 15).
  const seen = address.normalize('NFKC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
  const plain = bareAddress(seen.replace(/[.,;]+$/, '')); // As where a sentence ended.
  if (plain !== address && !parseAddress(address) && parseAddress(plain)) return plain;
  const parsed = parseAddress(address);
  if (!parsed || FREQUENT_DOMAINS.some((one) => one === parsed.domain)) return undefined;
  const near = nearestTo(parsed.domain, frequentFor(parsed.domain), SLIPS_MAX);
  // `.co` is where addresses of Colombia end, and where the last letter of `.com` is missing.
  const completed = FREQUENT_DOMAINS.find((one) => one === `${parsed.domain}m`);
  const isNear = near && near.length >= CHARS_MIN && (!isDisposable || isSlip(parsed.domain, near));
  const meant = completed ?? (isNear ? near : undefined);
  return meant && `${parsed.local}@${meant}`;
}

/** Whether one slip makes one of the other: a character, or the order of two. */
const isSlip = (one: string, other: string): boolean =>
  nearestTo(one, [other], 1) !== undefined || sorted(one) === sorted(other);

const sorted = (text: string): string => text.split('').toSorted().join('');

/** Those that it may misspell: the same name in another country is another provider. */
function frequentFor(domain: string): readonly string[] {
  const [, name] = /^(.+\.)[a-z]{2}$/.exec(domain) ?? [];
  return FREQUENT_DOMAINS.filter(
    (one) => name === undefined || !one.startsWith(name) || one.length !== domain.length,
  );
}
