import { generateKeyPairSync, randomBytes } from 'node:crypto';

import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';

import { SCOPES } from '../../shared/agents/agents.ts';
import { newKey } from '../../shared/agents/keys.ts';
import type { Context } from '../../shared/kernel/context.ts';
import { adapterOf } from './adapter.ts';
import { clientIdOf } from './clients.ts';
import { OAUTH } from './requests.ts';
import { FIRST_SCOPES, isResource, MCP } from './resources.ts';
import { errors, Provider } from './oidc_provider.mjs';
import { nextAccessToken, nextRefreshToken } from './successors.ts';

const METADATA = '/.well-known/oauth-authorization-server';
/** Where the issuer's metadata is (RFC 8414, section 3.1): the path of the issuer comes last. */
export const METADATA_PATH = METADATA + OAUTH;

const DAY_SECONDS = 86_400;
/** Some clients never refresh, so it is long; it can be ended at any time. */
const ACCESS_SECONDS = 7 * DAY_SECONDS;
const REFRESH_SECONDS = 90 * DAY_SECONDS;
const GRANT_SECONDS = 365 * DAY_SECONDS;
/** How long an owner may take to sign in and allow. */
const CONSENT_SECONDS = 600;

const ON = { enabled: true };
const OFF = { enabled: false };

/** What it cannot do itself. */
export interface Outside {
  /** Fetches a document about a client. */
  readonly fetchDocument: (url: string) => Promise<Response>;
  /** Tells a person what cannot go on. */
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
  const provider = new Provider(issuer, {
    adapter: adapterOf(context),
    fetch: async (url) => fetchDocument(new Request(url).url),
    routes: {
      authorization: '/authorize',
      token: '/token',
      registration: '/register',
      revocation: '/revoke',
      jwks: '/jwks',
    },
    // It wants keys to sign with, and would take those of its examples. Nothing is signed.
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
    clientAuthMethods: ['none'],
    clientDefaults: {
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: 'ES256', // Of the only key that there is.
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
    // An account is a connection, for which the adapter finds nothing once it has ended.
    findAccount: (_ctx, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
    // Not only for those that ask for offline_access, as OpenID has it.
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
        // Whoever finds a token of another app cannot end it.
        allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
      },
      registration: {
        ...ON,
        issueRegistrationAccessToken: false,
        idFactory: (ctx) => clientIdOf(context.secrets, bodyOf(ctx)),
      },
      clientIdMetadataDocument: {
        enabled: context.config.connections.clientDocuments,
        ack: 'draft-02',
      },
      resourceIndicators: {
        ...ON,
        useGrantedResource: () => true,
        // Clients of before 2025-06-18 name none.
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
  adjust(provider);
  provider.proxy = true; // It is told the scheme by `mount`, and by nobody else.
  provider.on('server_error', (_ctx, error) => {
    context.log.error({ err: error }, 'the authorization server failed');
  });
  return provider;
}

/**
 * An access token is a key of the marketplace: one check, one cache, one way to end it. Tokens that
 * replace a refresh token are derived from that. This is the one method of oidc-provider that is
 * overridden, which its documentation does not promise: a test looks at it, and its version is
 * pinned.
 */
function issueTokens(context: Context, { AccessToken, RefreshToken }: Provider): void {
  const ofAccess = function generateTokenId(this: object) {
    Object.assign(this, { format: 'opaque' });
    return nextAccessToken(context.secrets) ?? newKey();
  };
  const ofRefresh = () =>
    nextRefreshToken(context.secrets) ?? randomBytes(32).toString('base64url');
  Object.assign(AccessToken.prototype, { generateTokenId: ofAccess });
  Object.assign(RefreshToken.prototype, { generateTokenId: ofRefresh });
}

/** What it says of itself, and what it takes for said, where the defaults are those of OpenID. */
function adjust(provider: Provider): void {
  provider.use(async (ctx, next) => {
    // Who asks for no scope would be refused; a model that is connected should be able to buy.
    if (ctx.path === '/authorize' && !ctx.query.scope) {
      ctx.query = { ...ctx.query, scope: FIRST_SCOPES };
    }
    await next();
    if (ctx.path === METADATA) {
      const {
        claims_supported: _,
        subject_types_supported: __,
        ...rest
      } = ctx.body as object & {
        claims_supported?: unknown;
        subject_types_supported?: unknown;
      };
      ctx.body = { ...rest, scopes_supported: SCOPES };
    }
  });
}

/** Only what was allowed now: an earlier consent of this browser is not used again silently. */
async function grantOfThisConsent({ oidc }: KoaContextWithOIDC) {
  const grantId = oidc.result?.consent?.grantId;
  return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
}

const bodyOf = (ctx: KoaContextWithOIDC) => (ctx.oidc.body ?? {}) as Record<string, unknown>;

function ownKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' };
}
