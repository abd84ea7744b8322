import { generateKeyPairSync, randomBytes } from 'node:crypto';

import type {
  ClientAuthMethod,
  Configuration,
  KoaContextWithOIDC,
  TokenEndpointGrantContext,
} from 'oidc-provider';

import { SCOPES } from '../../shared/kernel/caller.ts';
import { newKey } from '../../shared/domains/agents/keys.ts';
import type { Context } from '../../shared/composition/context.ts';
import { adapterOf } from './adapter.ts';
import { clientIdOf, isSecretOf, SECRET_METHODS, secretOf } from './clients.ts';
import { readTokenParameters, signInParameters } from './parameters.ts';
import { faultOf, isSameLoopback } from './redirects.ts';
import { OAUTH } from './requests.ts';
import { isResource, MCP } from './resources.ts';
import { errors, Provider } from './oidc_provider.mjs';
import { nextAccessToken, nextRefreshToken } from './successors.ts';

/** Path of the metadata (RFC 8414), as if the issuer were at the root. */
export const METADATA = '/.well-known/oauth-authorization-server';
/** Path of the same in the form of OpenID Connect, which some clients ask for alone. */
export const OPENID_METADATA = '/.well-known/openid-configuration';

const DAY_SECONDS = 86_400;
/** Some clients never refresh, so it is long; it can be ended at any time. */
const ACCESS_SECONDS = 7 * DAY_SECONDS;
const REFRESH_SECONDS = 90 * DAY_SECONDS;
const GRANT_SECONDS = 365 * DAY_SECONDS;
/** Time for an owner to sign in and allow. */
const CONSENT_SECONDS = 600;

const ON = { enabled: true };
const OFF = { enabled: false };

/** Work that oidc-provider leaves to its caller. */
export interface Outside {
  /** Fetches a document about a client. */
  readonly fetchDocument: (url: string) => Promise<Response>;
  /** Tells a person that the sign-in cannot go on. */
  readonly showProblem: (ctx: KoaContextWithOIDC, problem: string) => Promise<void>;
}

/**
 * OAuth 2.1 for apps (RFC 6749, 7591, 7636, 8414, 8707, 9207, 7009), by oidc-provider. No OpenID
 * token is ever signed. Its access tokens are our keys.
 */
export function openProvider(context: Context, { fetchDocument, showProblem }: Outside): Provider {
  const { publicUrl } = context.config.api;
  const issuer = publicUrl + OAUTH;
  const cookie = { signed: true, httpOnly: true, sameSite: 'lax' } as const;
  const idFactory = (ctx: KoaContextWithOIDC) =>
    clientIdOf({ secrets: context.secrets, publicUrl }, bodyOf(ctx));
  const provider = new (readingTokenParameters(publicUrl))(issuer, {
    adapter: adapterOf(context),
    fetch: async (url) => fetchDocument(new Request(url).url),
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
      jwks: '/jwks',
    },
    // It needs keys to sign with, or would take those of its examples. Nothing is signed.
    jwks: { keys: [ownKey()] },
    cookies: {
      keys: context.secrets.hashes('oauth-cookies', '').map((key) => key.toString('base64url')),
      names: { session: 'oauth_session', interaction: 'oauth_consent', resume: 'oauth_resume' },
      long: { ...cookie, path: OAUTH },
      short: cookie,
    },
    scopes: [],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none', ...SECRET_METHODS] as ClientAuthMethod[],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256', // The algorithm of the only key.
    },
    pkce: { required: () => true },
    clientBasedCORS: () => true,
    ttl: {
      AccessToken: ACCESS_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      AuthorizationCode: 60,
      Grant: GRANT_SECONDS,
      Session: CONSENT_SECONDS,
      Interaction: CONSENT_SECONDS,
    },
    // An account is a connection; the adapter finds nothing for it once it has ended.
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // Issued also without offline_access, unlike in OpenID.
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    loadExistingGrant: grantOfThisConsent,
    interactions: { url: (_ctx, { uid }) => `${OAUTH}/consent/${uid}` },
    renderError: (ctx, out) => showProblem(ctx, out.error_description ?? out.error),
    features: {
      devInteractions: OFF,
      userinfo: OFF,
      rpInitiatedLogout: OFF,
      pushedAuthorizationRequests: OFF,
      dPoP: OFF,
      revocation: {
        ...ON,
        // Somebody who finds a token of another app cannot end it.
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: {
        ...ON,
        issueRegistrationAccessToken: false,
        idFactory,
        secretFactory: (ctx) => secretOf(context.secrets, idFactory(ctx)),
      },
      clientIdMetadataDocument: {
        enabled: context.config.connections.clientDocuments,
        ack: 'draft-02',
      },
      resourceIndicators: {
        ...ON,
        useGrantedResource: () => true,
        // Clients from before 2025-06-18 name none.
        defaultResource: (_ctx, _client, oneOf) => (oneOf as string | undefined) ?? publicUrl + MCP,
        getResourceServerInfo(_ctx, asked) {
          if (!isResource(publicUrl, asked)) throw new errors.InvalidTarget();
          return {
            scope: SCOPES.join(' '),
            audience: publicUrl + MCP,
            accessTokenFormat: 'opaque',
            accessTokenTTL: ACCESS_SECONDS,
          };
        },
      },
    },
  } satisfies Configuration);
  issueTokens(context, provider);
  compareRedirects(publicUrl, provider);
  compareSecrets(context, provider);
  adjust(publicUrl, provider);
  provider.proxy = true; // Only `mount` sets the header with the scheme.
  provider.on('server_error', (_ctx, error) => {
    context.log.error({ err: error }, 'the authorization server failed');
  });
  return provider;
}

/**
 * Makes an access token a key of the marketplace: one check, one cache, one way to end it. Tokens
 * that replace a code or a refresh token are derived from that. It overrides one method of
 * oidc-provider, which the documentation does not promise: a test checks it, and the version is
 * pinned.
 */
function issueTokens(context: Context, { AccessToken, RefreshToken }: Provider): void {
  const ofAccess = function generateTokenId(this: object) {
    Object.assign(this, { format: 'opaque' });
    return nextAccessToken(context) ?? newKey(context.config);
  };
  const ofRefresh = () =>
    nextRefreshToken(context.secrets) ?? randomBytes(32).toString('base64url');
  Object.assign(AccessToken.prototype, { generateTokenId: ofAccess });
  Object.assign(RefreshToken.prototype, { generateTokenId: ofRefresh });
}

/**
 * A native app may come back to any port of its machine, by any name of that, but not to ours,
 * which may be the same machine, and not by what browsers read otherwise than it is written.
 */
function compareRedirects(publicUrl: string, { Client }: Provider): void {
  const allowed = Object.getOwnPropertyDescriptor(Client.prototype, 'redirectUriAllowed')!
    .value as (uri: string) => boolean;
  Object.assign(Client.prototype, {
    redirectUriAllowed(this: RegisteredClient, uri: string) {
      if (faultOf(uri, publicUrl)) return false;
      const isOwnMachine = () => this.redirectUris!.some((one) => isSameLoopback(uri, one));
      return allowed.call(this, uri) || isOwnMachine();
    },
  });
}

/** A secret stays that of its client when the master key is changed. */
function compareSecrets({ secrets }: Context, { Client }: Provider): void {
  Object.assign(Client.prototype, {
    compareClientSecret(this: { clientId: string }, secret: string) {
      return isSecretOf(secrets, this.clientId, secret);
    },
  });
}

type RegisteredClient = Pick<InstanceType<Provider['Client']>, 'redirectUris'>;

/** oidc-provider, which reads the parameters for tokens as their clients mean them. */
const readingTokenParameters = (publicUrl: string) =>
  class extends Provider {
    override registerGrantType<P extends object>(
      name: string,
      handle: (ctx: TokenEndpointGrantContext<P>) => Promise<void> | void,
      ...rest: readonly (string | ReadonlySet<string>)[]
    ): void {
      const read: typeof handle = async (ctx) => {
        readTokenParameters(publicUrl, ctx.oidc.params);
        await handle(ctx);
      };
      super.registerGrantType(name, read, ...rest);
    }
  };

/** Adjusts the metadata and the parameters of requests, which are those of OpenID. */
function adjust(publicUrl: string, provider: Provider): void {
  provider.use(async (ctx, next) => {
    if (ctx.path === '/authorize') {
      ctx.query = signInParameters(publicUrl, ctx.query) as typeof ctx.query;
    }
    await next();
    if (ctx.path !== METADATA && ctx.path !== OPENID_METADATA) return;
    const { claims_supported: _, ...rest } = ctx.body as Metadata;
    // OpenID Connect requires it; for OAuth it means nothing.
    if (ctx.path === METADATA) delete rest.subject_types_supported;
    ctx.body = { ...rest, scopes_supported: SCOPES };
  });
}

interface Metadata {
  claims_supported?: unknown;
  subject_types_supported?: unknown;
}

/** Grants only what was allowed now: an earlier consent is never used again silently. */
async function grantOfThisConsent({ oidc }: KoaContextWithOIDC) {
  const grantId = oidc.result?.consent?.grantId;
  return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
}

const bodyOf = (ctx: KoaContextWithOIDC) => (ctx.oidc.body ?? {}) as Record<string, unknown>;

function ownKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' };
}
