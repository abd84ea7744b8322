import { SCOPES } from '../../shared/agents/agents.ts';
import { SET_NAMES } from '../mcp/sets/sets.ts';
import { parseUrl } from '../../shared/platform/parse_url.ts';

/** Where MCP is for apps that sign in. */
export const MCP = '/mcp';
/** Below it, one address for each set of tools. */
export const SET_PATHS: readonly string[] = SET_NAMES.flatMap((name) => [
  `${MCP}/x/${name}`,
  `${MCP}/x/${name}/readonly`,
]);

/** What an app should ask for that says nothing itself. */
export const FIRST_SCOPES = 'read buy';

const METADATA = '/.well-known/oauth-protected-resource';

/** The address of the metadata of a resource (RFC 9728, section 3.1). */
export const metadataPath = (path: string): string => METADATA + path;

/** What RFC 9728 wants said of a resource. */
export const metadataOf = (publicUrl: string, path: string) => ({
  resource: publicUrl + path,
  resource_name: 'Agent Marketplace',
  resource_documentation: `${publicUrl}/connect`,
  authorization_servers: [`${publicUrl}/oauth`],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
});

/** Whether tokens for this resource work here: MCP, with any set of tools, or the whole origin. */
export function isResource(publicUrl: string, asked: string): boolean {
  const url = parseUrl(asked);
  if (!url) return false;
  const { origin, pathname, search, hash } = url;
  const path = pathname.replace(/\/$/, '');
  const known = path === '' || path === MCP || SET_PATHS.includes(path);
  return known && origin === new URL(publicUrl).origin && search === '' && hash === '';
}

/** What a client without the right token is told, so that it asks its owner (RFC 6750, 9728). */
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
