import type { HttpContext } from '../../http/routes.ts';
import { Refusal } from '../../../shared/kernel/refusal.ts';

/**
 * Refuses a request from a page of another site or origin. The request must state that it comes
 * from this origin or from no page (Sec-Fetch-Site); a browser that does not state it must send our
 * own Origin. It is the rule of Go's CrossOriginProtection, made stricter: a request with neither
 * header is refused.
 */
export function assertSameOrigin({ req }: HttpContext, publicUrl: string): void {
  const site = req.headers['sec-fetch-site'];
  if (site === 'same-origin' || site === 'none') return;
  if (site === undefined && req.headers.origin === new URL(publicUrl).origin) return;
  throw new Refusal('forbidden', 'The request came from another site, so nothing was done.');
}

interface PagePolicy {
  /** Other origins that its forms may lead to. */
  readonly leadsTo?: readonly string[];
  /** Seconds for which anybody may keep it. */
  readonly keptSeconds?: number | undefined;
  /** A host, as a URL has it, whose pictures it may show. */
  readonly pictures?: string | undefined;
}

/** The headers of every page. */
export function setPageHeaders(
  ctx: HttpContext,
  { leadsTo = [], keptSeconds, pictures }: PagePolicy,
): void {
  ctx.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': keptSeconds === undefined ? 'no-store' : `public, max-age=${keptSeconds}`,
    'Content-Security-Policy': [
      `default-src 'none'`,
      `script-src 'self'`,
      `style-src 'self'`,
      `font-src 'self'`,
      `img-src 'self'${pictures === undefined ? '' : ` https://${pictures}`}`,
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
