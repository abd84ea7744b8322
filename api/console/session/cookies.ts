import type { IncomingMessage } from 'node:http';

import { isLoopback } from '../../../shared/platform/egress/addresses.ts';
import type { HttpContext } from '../../http/routes.ts';

/** Cookies of the console: not readable by scripts, without a domain, bound to one path. */
interface Cookies {
  readonly owner: string;
  readonly operator: string;
  readonly device: string;
  readonly isSecure: boolean;
}

/**
 * The names of the cookies. Browsers take a name with the prefix __Host- over TLS only. Over plain
 * HTTP on a loopback address, where not every browser takes it, the names have no prefix.
 */
export function cookiesOf(publicUrl: string): Cookies {
  const isSecure = publicUrl.startsWith('https:');
  const prefix = isSecure ? '__Host-' : '';
  return {
    owner: `${prefix}session`,
    operator: `${prefix}operator`,
    device: `${prefix}device`,
    isSecure,
  };
}

/** Whether passwords may be sent to this address: over TLS, or within one machine. */
export const mayTakePasswords = (publicUrl: string): boolean => {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || isLoopback(hostname) || hostname.endsWith('.localhost');
};

/** The value of a cookie; undefined: it is absent, or sent more than once. */
export function readCookie({ headers }: IncomingMessage, name: string): string | undefined {
  const found = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=');
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

interface CookieOptions {
  readonly isSecure: boolean;
  readonly sameSite: 'Lax' | 'Strict';
  readonly maxAgeSeconds?: number;
}

export function setCookie(
  ctx: HttpContext,
  name: string,
  value: string,
  { isSecure, sameSite, maxAgeSeconds }: CookieOptions,
): void {
  const parts = [`${name}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`];
  if (isSecure) parts.push('Secure');
  if (maxAgeSeconds !== undefined) parts.push(`Max-Age=${maxAgeSeconds}`);
  ctx.append('Set-Cookie', parts.join('; '));
}
