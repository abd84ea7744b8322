import { SCOPES } from '../../shared/kernel/caller.ts';
import { FIRST_SCOPES, isResource, MCP } from './resources.ts';

/** Parameters of a request, as Koa and oidc-provider hold them. */
type Parameters = Record<string, unknown>;

/**
 * Parameters of OpenID Connect, which some clients send without its scope. No OpenID token is
 * signed here, and each sign-in asks the owner, so nothing depends on them; oidc-provider would
 * refuse them.
 */
const OF_OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/**
 * The parameters of a request to sign in, as its client meant them: the resource in one spelling,
 * scopes that we have, or the first ones if there are none. `prompt` says only whether the owner
 * may be asked at all.
 */
export function signInParameters(publicUrl: string, asked: Parameters): Parameters {
  const read: Parameters = { ...asked };
  for (const name of OF_OPENID) delete read[name];
  if (read.prompt !== 'none') delete read.prompt;
  if (areOurs(publicUrl, read.resource)) read.resource = publicUrl + MCP;
  read.scope = knownScopes(read.scope) ?? FIRST_SCOPES;
  return read;
}

/**
 * Changes the parameters of a request for tokens. A resource that is ours is what was granted,
 * however it is spelled: all of them have one audience.
 */
export function readTokenParameters(publicUrl: string, asked: Parameters): void {
  if (areOurs(publicUrl, asked.resource)) delete asked.resource;
  if (asked.scope !== undefined) asked.scope = knownScopes(asked.scope);
}

function areOurs(publicUrl: string, resource: unknown): boolean {
  const all = [resource].flat() as unknown[];
  return all.every((one) => typeof one === 'string' && isResource(publicUrl, one));
}

/** Those of the scopes that we have; undefined: none. What is no list of scopes stays as it is. */
function knownScopes(asked: unknown): unknown {
  if (asked === undefined || asked === '') return undefined;
  if (typeof asked !== 'string' || !/^[\x20-\x7e]*$/.test(asked)) return asked;
  const known = asked.split(' ').filter((scope) => (SCOPES as readonly string[]).includes(scope));
  return known.length > 0 ? known.join(' ') : undefined;
}
