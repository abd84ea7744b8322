import { SCOPES } from '../../shared/kernel/caller.ts';
import { PATH_NAMES } from '../mcp/sets/sets.ts';
import { parseUrl } from '../../shared/platform/parse_url.ts';

/** Path of MCP for apps that sign in. */
export const MCP = '/mcp';
/** Paths below it, for each set of tools; `/x/` is the older form. */
export const SET_PATHS: readonly string[] = PATH_NAMES.flatMap((name) =>
  [`${MCP}/${name}`, `${MCP}/x/${name}`].flatMap((path) => [path, `${path}/readonly`]),
);

/** Paths of MCP for callers with a key, where tokens of apps work too. */
const KEY_PATHS: readonly string[] = ['', '/sse', ...PATH_NAMES.map((name) => `/${name}`)].map(
  (path) => `/api/v1/mcp${path}`,
);
/** Paths of all that tokens are for; the empty one is the whole origin. */
export const RESOURCE_PATHS: readonly string[] = ['', MCP, ...SET_PATHS, ...KEY_PATHS];

/** Scopes for an app that asks for none. */
export const FIRST_SCOPES = 'read buy';

const METADATA = '/.well-known/oauth-protected-resource';

/** The address of the metadata of a resource (RFC 9728, section 3.1). */
export const metadataPath = (path: string): string => METADATA + path;

/** Metadata of a resource, as RFC 9728 wants it. */
export const metadataOf = (publicUrl: string, path: string) => ({
  resource: publicUrl + path,
  resource_name: 'Agent Marketplace',
  resource_documentation: `${publicUrl}/connect`,
  authorization_servers: [`${publicUrl}/oauth`],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
});

/**
 * Whether tokens for this resource work here: MCP, any set of tools, or the whole origin. Its host
 * may be in capitals or beyond ASCII, and a query may choose tools.
 */
export function isResource(publicUrl: string, asked: string): boolean {
  const url = parseUrl(asked);
  if (!url) return false;
  const { origin, pathname, hash } = url;
  const path = pathname.replace(/\/$/, '');
  const known = RESOURCE_PATHS.includes(path);
  return known && origin === new URL(publicUrl).origin && hash === '';
}

/** The challenge for a client without the right token: it asks its owner (RFC 6750, 9728). */
export function challengeOf(
  publicUrl: string,
  path: string,
  { error, scope = FIRST_SCOPES }: { error?: string | undefined; scope?: string | undefined },
): string {
  const parts = [
    'realm="agent-marketplace"',
    ...(error ? [`error="${error}"`] : []),
    `resource_metadata="${publicUrl}${metadataPath(path)}"`,
    `scope="${scope}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}
