import type { IncomingMessage } from 'node:http';

import type { HttpContext } from '../../api/http/routes.ts';

/** A cookie of the console. Without JavaScript, without a domain, and never of another path. */
export interface Cookies {
  readonly owner: string;
  readonly operator: string;
  readonly device: string;
  readonly isSecure: boolean;
}

/**
 * The names of the cookies. With the prefix __Host- a browser takes them over TLS alone; over plain
 * HTTP on a loopback address, where not every browser would take those, they go without it.
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

/** Whether passwords may be sent to this address: by TLS, or within one machine. */
export const mayTakePasswords = (publicUrl: string): boolean => {
  const { protocol, hostname } = new URL(publicUrl);
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  return protocol === 'https:' || loopback.includes(hostname) || hostname.endsWith('.localhost');
};

/** The value of a cookie; undefined where it is not sent, or sent more than once. */
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
