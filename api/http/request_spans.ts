import type { Middleware } from 'koa';

import { parseTraceparent } from '../../shared/platform/telemetry/traceparent.ts';
import type { Tracing } from '../../shared/platform/telemetry/tracing.ts';
import type { State } from './routes.ts';

/** Paths that machines ask every few seconds. */
const UNTRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** A span of each request, named after its route: a path has ids, and a query may have anything. */
export const inRequestSpans =
  (traces: Tracing): Middleware<State> =>
  async (ctx, next) => {
    const { req, res, state, method } = ctx;
    if (UNTRACED.has(req.url!)) return next();
    const known = KNOWN_METHODS.has(method) ? method : '_OTHER';
    const span = traces.start(known === '_OTHER' ? 'HTTP' : known, 'server', {
      parent: parseTraceparent(single(req.headers.traceparent)),
      attributes: { 'http.request.method': known },
    });
    state.trace = span.ids;
    res.once('close', () => {
      const { route } = state;
      if (route !== undefined) {
        span.rename(route);
        span.set('http.route', route.slice(route.indexOf(' ') + 1));
      }
      span.set('http.response.status_code', res.statusCode);
      if (res.statusCode >= 500) span.fail(String(res.statusCode));
      span.end();
    });
    await traces.within(span, next);
  };

/** Node joins headers of one name with a comma, so two of them are malformed. */
const single = (header: string | string[] | undefined) =>
  typeof header === 'string' ? header : undefined;

const KNOWN_METHODS = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);
