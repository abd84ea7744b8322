import { randomBytes, sign } from 'node:crypto';

import type { Facilitator, JwtSigner } from '../../../shared/domains/x402/facilitators/settings.ts';

/** The longest time that facilitators accept. */
const LIVES_SECONDS = 120;

/** The Authorization header of one request to a facilitator; none where it wants none. */
export function authorizationOf(
  { access }: Facilitator,
  method: 'GET' | 'POST',
  url: string,
): Readonly<Record<string, string>> {
  if (access.kind === 'none') return {};
  const token = access.kind === 'token' ? access.token : jwtOf(access.signer, method, url);
  return { authorization: `Bearer ${token}` };
}

/**
 * A JSON Web Token that is good for this request alone, for two minutes: `uris` names its method,
 * host and path.
 */
function jwtOf(signer: JwtSigner, method: string, url: string): string {
  const { keyId, algorithm, key, issuer, audience } = signer;
  const { host, pathname } = new URL(url);
  const issuedAt = Math.floor(Date.now() / 1_000);
  const nonce = randomBytes(16).toString('hex');
  const head = { alg: algorithm, typ: 'JWT', kid: keyId, nonce };
  const claims = {
    iss: issuer,
    sub: keyId,
    aud: [audience],
    nbf: issuedAt,
    iat: issuedAt,
    exp: issuedAt + LIVES_SECONDS,
    uris: [`${method} ${host}${pathname}`],
  };
  const signed = [head, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const signature =
    algorithm === 'EdDSA'
      ? sign(null, Buffer.from(signed), key)
      : sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}
