import type { IncomingHttpHeaders } from 'node:http';

import type { Middleware } from 'koa';

import type { State } from './routes.ts';

/** Our pages for operators and owners: pages of other origins may not read them. */
const CLOSED = /^\/(?:admin|console|oauth\/(?:authorize|consent)|api\/v1\/admin)(?![\w-])/;

/** Seconds that a browser may cache the permission. Browsers cap it at two hours. */
const REMEMBERED_S = 7_200;

/**
 * Lets scripts of pages read our answers and call with a key. No route that is open here accepts a
 * cookie or another login that a browser keeps, so a page can do only what its key allows. Any
 * origin is therefore as good as another, unless CORS_ORIGINS lists some.
 */
export function cors(origins: readonly string[]): Middleware<State> {
  return async (ctx, next) => {
    const { req, res } = ctx;
    if (req.headers.origin === undefined) return next();
    const allowed = corsHeaders(origins, req);
    for (const [name, value] of Object.entries(allowed)) res.setHeader(name, value);
    const wanted = req.headers['access-control-request-method'];
    if (req.method !== 'OPTIONS' || wanted === undefined) return next();

    // Every path is answered, so that the page learns from the call itself if there is no route.
    ctx.state.route = 'OPTIONS';
    ctx.status = 204;
    if (!allowed['Access-Control-Allow-Origin']) return undefined;
    ctx.set({
      'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      // The star stands for all headers but this one.
      'Access-Control-Allow-Headers': 'Authorization, *',
      'Access-Control-Max-Age': String(REMEMBERED_S),
    });
    return undefined;
  };
}

/** CORS headers of the answer to this request. */
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
