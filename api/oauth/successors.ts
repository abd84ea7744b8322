import { derivedKey } from '../../shared/agents/keys.ts';
import type { Secrets } from '../../shared/platform/secrets.ts';
import { errors, Provider } from './oidc_provider.mjs';

/*
 * A refresh token is replaced by a refresh token and an access token that are derived from it, by a
 * keyed hash. So every repeat of a refresh within the grace, also one at the same time, is answered
 * the same two, although only hashes are stored.
 */

const PURPOSE = 'oauth-successor';

interface ReplacedToken {
  readonly token: string;
  /** The master key under which its successors are derived. */
  readonly keyId: string;
}

/** The refresh token that each request replaces. */
const replacedBy = new WeakMap<object, ReplacedToken>();

/** Notes that the request that is being answered replaces this refresh token. */
export function noteReplaced(secrets: Secrets, replaced: ReplacedToken): void {
  // Its first use was under a master key that is off the list by now.
  if (!secrets.knows(replaced.keyId)) throw new errors.InvalidGrant('it was used already');
  replacedBy.set(Provider.ctx!.oidc, replaced);
}

/** The refresh token that follows the one replaced by this request; undefined: none is. */
export function nextRefreshToken(secrets: Secrets): string | undefined {
  return derived(secrets, 'refresh')?.toString('base64url');
}

/** The access token that comes with it; undefined: this request replaces no refresh token. */
export function nextAccessToken(secrets: Secrets): string | undefined {
  const [id, secret] = [derived(secrets, 'access id'), derived(secrets, 'access')];
  return id && secret && derivedKey(id, secret);
}

function derived(secrets: Secrets, what: string): Buffer | undefined {
  const oidc = Provider.ctx?.oidc;
  const replaced = oidc && replacedBy.get(oidc);
  if (!replaced) return undefined;
  return secrets.hash(`${PURPOSE} ${what}`, replaced.token, replaced.keyId).hash;
}
