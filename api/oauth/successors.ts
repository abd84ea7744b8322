import { hash } from 'node:crypto';

import type { AdapterPayload } from 'oidc-provider';

import type { Context } from '../../shared/composition/context.ts';
import { derivedKey } from '../../shared/domains/agents/keys.ts';
import type { Secrets } from '../../shared/platform/secrets.ts';
import { errors, Provider } from './oidc_provider.mjs';

/*
 * A code or a refresh token is replaced by a refresh token and an access token that are derived
 * from it by a keyed hash. So every repeat within the grace period, even a simultaneous one, gets
 * the same two, although only hashes are stored.
 */

const PURPOSE = 'oauth-successor';

interface ReplacedToken {
  readonly token: string;
  /** The master key from which its successors are derived. */
  readonly keyId: string;
}

/** The code or refresh token that each request replaces. */
const replacedBy = new WeakMap<object, ReplacedToken>();

/** Notes that the current request replaces this code or refresh token. */
export function noteReplaced(secrets: Secrets, replaced: ReplacedToken): void {
  // It was first used under a master key that is no longer on the list.
  if (!secrets.knows(replaced.keyId)) throw new errors.InvalidGrant('it was used already');
  replacedBy.set(Provider.ctx!.oidc, replaced);
}

/** The refresh token that comes of what this request replaces; undefined: it replaces nothing. */
export function nextRefreshToken(secrets: Secrets): string | undefined {
  return derived(secrets, 'refresh')?.toString('base64url');
}

/** The access token that comes with it; undefined: this request replaces nothing. */
export function nextAccessToken({
  secrets,
  config,
}: Pick<Context, 'secrets' | 'config'>): string | undefined {
  const [id, secret] = [derived(secrets, 'access id'), derived(secrets, 'access')];
  return id && secret && derivedKey(config, id, secret);
}

/** Whether the current request exchanges this code as the client that it was given to would. */
export function repeatsExchange(code: AdapterPayload): boolean {
  const { client, params } = Provider.ctx!.oidc;
  const { code_verifier: verifier, redirect_uri: redirectUri } = params as Record<string, unknown>;
  return (
    client?.clientId === code.clientId &&
    redirectUri === code.redirectUri &&
    typeof verifier === 'string' &&
    hash('sha256', verifier, 'base64url') === code.codeChallenge
  );
}

function derived(secrets: Secrets, what: string): Buffer | undefined {
  const oidc = Provider.ctx?.oidc;
  const replaced = oidc && replacedBy.get(oidc);
  if (!replaced) return undefined;
  return secrets.hash(`${PURPOSE} ${what}`, replaced.token, replaced.keyId).hash;
}
