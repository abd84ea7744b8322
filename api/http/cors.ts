import type { IncomingHttpHeaders } from 'node:http';

import type { Middleware } from 'koa';

import type { State } from './routes.ts';

/** Pages of ours for operators and owners: pages of other origins have nothing to do there. */
const CLOSED = /^\/(?:admin|console|oauth\/(?:authorize|consent)|api\/v1\/admin)(?![\w-])/;

/** How long a browser may remember what it was allowed. Browsers cap it at two hours. */
const REMEMBERED_S = 7_200;

/**
 * Lets scripts of pages read our answers and call with a key. No cookie and no other login that a
 * browser keeps is taken by what is open here, so a page can do only what it has a key for, and any
 * origin is as good as another unless CORS_ORIGINS lists some.
 */
export function cors(origins: readonly string[]): Middleware<State> {
  return async (ctx, next) => {
    const { req, res } = ctx;
    if (req.headers.origin === undefined) return next();
    const allowed = corsHeaders(origins, req);
    for (const [name, value] of Object.entries(allowed)) res.setHeader(name, value);
    const wanted = req.headers['access-control-request-method'];
    if (req.method !== 'OPTIONS' || wanted === undefined) return next();

    // Whatever is asked, so that the page is told by the answer if there is no such route.
    ctx.state.route = 'OPTIONS';
    ctx.status = 204;
    if (!allowed['Access-Control-Allow-Origin']) return undefined;
    ctx.set({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      // The star stands for all others, and not for this one.
      'Access-Control-Allow-Headers': 'Authorization, *',
      'Access-Control-Max-Age': String(REMEMBERED_S),
    });
    return undefined;
  };
}

/** What an answer to this request says of the page that may read it. */
export function corsHeaders(
  origins: readonly string[],
  { headers: { origin }, url = '' }: { headers: IncomingHttpHeaders; url?: string | undefined },
): Record<string, string> {
  if (origin === undefined || CLOSED.test(url)) return {};
  const isAny = origins.includes('*');
  if (!isAny && !origins.includes(origin)) return {};
  return {
    'Access-Control-Allow-Origin': isAny ? '*' : origin,
    'Access-Control-Expose-Headers': '*',
  };
}
