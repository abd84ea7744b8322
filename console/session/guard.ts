import type { HttpContext } from '../../api/http/routes.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';

/**
 * Refuses a request that a page of another site or of another origin has sent: it must say of
 * itself that it comes from this origin or from nobody's page (Sec-Fetch-Site), or, from a browser
 * that does not say that, have our own origin. The rule of Go's CrossOriginProtection, made
 * stricter: one that says neither is refused.
 */
export function assertSameOrigin({ req }: HttpContext, publicUrl: string): void {
  const site = req.headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return;
  if (site === undefined && req.headers.origin === new URL(publicUrl).origin) return;
  throw new Refusal('forbidden', 'This was sent by a page of another site, so nothing was done.');
}

/** The headers of every page. `leadsTo`: other origins that its forms may lead to. */
export function setPageHeaders(ctx: HttpContext, leadsTo: readonly string[] = []): void {
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self'`,
      `font-src 'self'`,
      `img-src 'self'`,
      `connect-src 'self'`,
      ['form-action', `'self'`, ...leadsTo].join(' '),
      `base-uri 'none'`,
      `frame-ancestors 'none'`,
      `require-trusted-types-for 'script'`,
      'trusted-types console',
    ].join('; '),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'same-origin',
  });
}
