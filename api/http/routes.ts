import Router from '@koa/router';
import type { Middleware, ParameterizedContext } from 'koa';

import type { Caller } from '../../shared/kernel/caller.ts';
import type { Permit } from '../../shared/platform/limiter.ts';
import type { RateLimit } from '../../shared/kernel/tx.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import type { LogIds } from '../../shared/platform/telemetry/tracing.ts';

/** Facts about a request, for the log. */
export interface State {
  requestId: string;
  /** The caller's address: an IPv4 address, or the /64 of an IPv6 one. */
  address: string;
  /** `METHOD /path/:parameter`. Never the URL, which may hold what must not be logged. */
  route?: string;
  operation?: string;
  /** The ids of its span. */
  trace?: LogIds;
  agentId?: number;
  /** The tree of that agent: the id of its root. */
  tree?: number;
  /** The name of the operator who calls. */
  operator?: string | undefined;
  /** The limits that the caller was told about, by name. */
  rateLimits?: Map<string, RateLimit>;
  /** The permit of an MCP message, which was acquired before the message was read. */
  permit?: Permit;
}

/** Notes who calls, for the log and for the share of the tree. */
export const noteCaller = (state: Partial<State>, { agentId, rootId, operator }: Caller): void =>
  void Object.assign(state, { agentId, tree: rootId, operator });

export type HttpContext = ParameterizedContext<State> & { params?: Record<string, string> };

/** The part of Koa's context that the answer to a call of an operation needs. */
export type CallContext = Pick<
  HttpContext,
  'req' | 'res' | 'state' | 'method' | 'url' | 'path' | 'querystring' | 'params' | 'set' | 'vary'
> & { status: number; body: unknown; readonly response: Pick<HttpContext['response'], 'get'> };

export interface Route {
  /** `METHOD /path`. */
  readonly route: string;
  /** Absent for a page, and for routes about the marketplace itself. */
  readonly operation?: string;
  /** Whether HEAD is answered too: it costs nothing and changes nothing. Pages always are. */
  readonly answersHead?: boolean;
  handle(ctx: HttpContext): Promise<void> | void;
}

/**
 * Gives each request to its route. Exact paths are found in a Map, which costs nothing; only paths
 * with parameters go to the router. `unknown` answers requests for a path that there is none of.
 */
export function dispatch(routes: readonly Route[], unknown: Route['handle']): Middleware<State> {
  const pages = new Set<string>();
  const exact = new Map<string, Map<string, Route>>();
  const router = new Router({ strict: true, sensitive: true });
  for (const route of routes) {
    const [method, path] = route.route.split(' ') as [string, string];
    if (path.includes(':')) {
      if (method === 'GET' && (!route.operation || route.answersHead)) pages.add(path);
      router.register(path, [method.toLowerCase()], (ctx) => run(route, ctx as HttpContext));
    } else {
      exact.set(path, (exact.get(path) ?? new Map<string, Route>()).set(method, route));
    }
  }
  const withParameters = router.routes();

  return async (ctx) => {
    const asked = pathOf(ctx);
    const path = exact.has(asked) ? asked : withoutSlash(asked);
    if (path !== asked) ctx.path = path; // The router reads the path there.
    const here = exact.get(path);
    const route = here?.get(ctx.method) ?? (ctx.method === 'HEAD' ? pageOf(here) : undefined);
    if (route) return run(route, ctx);
    // The router would run GET routes for HEAD, and some of them cost money.
    const { path: layers, pathAndMethod } = router.match(path, ctx.method);
    const isPage = layers.some((layer) => pages.has(String(layer.path)));
    if (pathAndMethod.length > 0 && (ctx.method !== 'HEAD' || isPage)) {
      return withParameters(ctx as never, async () => undefined) as Promise<void>;
    }
    const methods = new Set([...(here?.keys() ?? []), ...layers.flatMap((layer) => layer.methods)]);
    if (methods.size === 0) return unknown(ctx);
    if (!pageOf(here) && !isPage) methods.delete('HEAD');
    ctx.set('Allow', [...methods, 'OPTIONS'].join(', '));
    if (ctx.method !== 'OPTIONS') {
      throw new Refusal('method_not_allowed', 'This path does not take this method.', {
        allowed: [...methods],
      });
    }
    ctx.status = 204;
  };
}

async function run(route: Route, ctx: HttpContext): Promise<void> {
  ctx.state.route = route.route;
  if (route.operation) ctx.state.operation = route.operation;
  await route.handle(ctx);
}

/** HEAD is answered for pages, which cost nothing, but not for operations. */
function pageOf(here: ReadonlyMap<string, Route> | undefined): Route | undefined {
  const route = here?.get('GET');
  return route?.operation ? undefined : route;
}

/** Koa throws for a request target that is no URL. */
function pathOf(ctx: HttpContext): string {
  try {
    return ctx.path;
  } catch {
    return '';
  }
}

/** A path with a slash at its end is the same path. */
const withoutSlash = (path: string): string =>
  path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
