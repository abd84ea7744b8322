import type Provider from 'oidc-provider';

import type { Invoke } from '../../shared/kernel/call.ts';
import type { Context } from '../../shared/composition/context.ts';
import { Refusal } from '../../shared/kernel/refusal.ts';
import type { HttpContext, Route } from '../http/routes.ts';
import { consentRoutes } from './consent.ts';
import { documentFetcher } from './documents.ts';
import { openPages } from './pages.ts';
import { METADATA, openProvider, OPENID_METADATA } from './provider.ts';
import { guarded, OAUTH, pinOrigin } from './requests.ts';
import { MCP, metadataOf, metadataPath, RESOURCE_PATHS } from './resources.ts';

/** Paths below OAUTH that oidc-provider answers. */
const SERVED = [
  'GET /authorize',
  'GET /authorize/:uid',
  'POST /token',
  'POST /register',
  'POST /revoke',
  'GET /jwks',
];

/** Paths that clients take for that of the authorization server. */
const SERVERS = ['', OAUTH, MCP, '/api/v1/mcp'];

/**
 * The authorization server for apps that sign in, and the metadata that says where it is, at each
 * place where clients look: a well-known name comes before the path (RFC 8414, 9728) or after it
 * (OpenID Connect).
 */
export function oauthRoutes(context: Context, invoke: Invoke): Route[] {
  const { publicUrl } = context.config.api;
  const pages = openPages(context, invoke);
  const fetchDocument = documentFetcher(publicUrl, invoke);
  const provider = openProvider(context, { fetchDocument, showProblem: pages.showProblem });
  const serve = guarded(context, (ctx, path: string) => mount(provider, publicUrl, ctx, path));
  const served = SERVED.map((route) => {
    const [method, path] = route.split(' ') as [string, string];
    return {
      route: `${method} ${OAUTH}${path}`,
      handle: (ctx: HttpContext) => serve(ctx, ctx.path.slice(OAUTH.length)),
    };
  });
  const resources = RESOURCE_PATHS.flatMap((path) =>
    [...new Set([metadataPath(path), path + metadataPath('')])].map((at) => ({
      route: `GET ${at}`,
      handle: (ctx: HttpContext) => {
        refuseKeyHolder(ctx, path);
        ctx.body = JSON.stringify(metadataOf(publicUrl, path));
      },
    })),
  );
  const servers = [METADATA, OPENID_METADATA].flatMap((name) =>
    SERVERS.flatMap((path) =>
      [...new Set([name + path, path + name])].map((at) => ({
        route: `GET ${at}`,
        handle: async (ctx: HttpContext) => {
          refuseKeyHolder(ctx, path);
          await serve(ctx, name);
        },
      })),
    ),
  );
  return [...served, ...consentRoutes(context, provider, pages), ...resources, ...servers];
}

/**
 * Answers a client that sends a key as if there were no authorization server, except below the path
 * of apps: some clients forget the key that they were given if they find one beside MCP.
 */
function refuseKeyHolder({ req }: HttpContext, path: string): void {
  const isOfApps = path === OAUTH || path === MCP || path.startsWith(`${MCP}/`);
  if (isOfApps || req.headers.authorization === undefined) return;
  throw new Refusal('not_found', 'There is nothing to sign in to: your key is all that is needed.');
}

/** Lets oidc-provider answer a request, as if it were alone at this path of the public URL. */
async function mount(
  provider: Provider,
  publicUrl: string,
  ctx: HttpContext,
  path: string,
): Promise<void> {
  const { req, res } = ctx;
  pinOrigin(ctx, publicUrl);
  // Clients send what they were configured with for MCP along; here it would be a wrong secret.
  if (!/^basic /i.test(req.headers.authorization ?? '')) delete req.headers.authorization;
  req.url = path + ctx.search;
  Object.assign(req, { baseUrl: OAUTH });
  res.removeHeader('Content-Type'); // It sets its own.
  ctx.respond = false;
  await provider.callback()(req, res);
}
