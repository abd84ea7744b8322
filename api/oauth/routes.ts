import type Provider from 'oidc-provider';

import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/kernel/context.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { consentRoutes } from './consent.ts';
import { documentFetcher } from './documents.ts';
import { openPages } from './pages.ts';
import { METADATA_PATH, openProvider } from './provider.ts';
import { guarded, OAUTH, pinOrigin } from './requests.ts';
import { MCP, metadataOf, metadataPath, SET_PATHS } from './resources.ts';

/** Where oidc-provider answers, of its own paths below OAUTH. */
const SERVED = [
  'GET /authorize',
  'GET /authorize/:uid',
  'POST /token',
  'POST /register',
  'POST /revoke',
  'GET /jwks',
];

/**
 * The authorization server for apps that sign in at /mcp, and what says where it is. Nothing of it
 * is at the root of the origin or beside /api/v1/mcp: some clients with a key forget the key where
 * they find an authorization server.
 */
export function oauthRoutes(context: Context, invoke: Invoke): Route[] {
  const { publicUrl } = context.config.api;
  const pages = openPages(context, invoke);
  const fetchDocument = documentFetcher(invoke);
  const provider = openProvider(context, { fetchDocument, showProblem: pages.showProblem });
  const serve = guarded(context, (ctx, path: string) => mount(provider, publicUrl, ctx, path));
  const served = SERVED.map((route) => {
    const [method, path] = route.split(' ') as [string, string];
    return {
      route: `${method} ${OAUTH}${path}`,
      handle: (ctx: HttpContext) => serve(ctx, ctx.path.slice(OAUTH.length)),
    };
  });
  const metadata = [MCP, ...SET_PATHS].map((path) => ({
    route: `GET ${metadataPath(path)}`,
    handle(ctx: HttpContext) {
      ctx.body = JSON.stringify(metadataOf(publicUrl, path));
    },
  }));
  return [
    ...served,
    ...consentRoutes(context, provider, pages),
    ...metadata,
    {
      route: `GET ${METADATA_PATH}`,
      handle: (ctx) => serve(ctx, METADATA_PATH.slice(0, -OAUTH.length)),
    },
  ];
}

/** Has oidc-provider answer a request, as if it were alone at this path of the public URL. */
async function mount(
  provider: Provider,
  publicUrl: string,
  ctx: HttpContext,
  path: string,
): Promise<void> {
  const { req, res } = ctx;
  pinOrigin(ctx, publicUrl);
  req.url = path + ctx.search;
  Object.assign(req, { baseUrl: OAUTH });
  res.removeHeader('Content-Type'); // It says its own.
  ctx.respond = false;
  await provider.callback()(req, res);
}
