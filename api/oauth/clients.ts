import type { Secrets } from '../../shared/platform/secrets.ts';
import { DECEPTIVE } from '../../shared/kernel/text.ts';
import { errors } from './oidc_provider.mjs';
import { faultOf } from './redirects.ts';

/*
 * Registering a client stores no row: its id is its registration, signed by us. So nobody can fill
 * a table by registering, and the same app gets the same id each time (RFC 7591, section 3.2.1
 * leaves the form of an id to the server).
 */

/** The fields of a registration that are kept, in the order in which an id holds them. */
const KEPT = [
  'client_name',
  'redirect_uris',
  'application_type',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
] as const;
/** Maximum length of an id: it comes back in URLs. */
const ID_CHARS_MAX = 2_000;
const PURPOSE = 'oauth-client';
const SECRET_PURPOSE = 'oauth-client-secret';

/** Characters that deceive the reader of a name, line breaks and halves of characters included. */
const REFUSED = new RegExp(String.raw`[${DECEPTIVE}\t\n\r\ud800-\udfff]`, 'u');
/** A client's statements about itself. */
export type ClientMetadata = Record<string, unknown>;

/**
 * Refuses a name that deceives its reader, and redirect URIs that could lead elsewhere than they
 * seem to, or to us (RFC 7591, section 3.2.2; RFC 9700, section 4.1). Redirects need an exact
 * match.
 */
export function assertHonest(
  { client_name: name, redirect_uris: uris }: ClientMetadata,
  publicUrl: string,
): void {
  if (typeof name === 'string' && REFUSED.test(name)) {
    throw new errors.InvalidClientMetadata('client_name must not hold control or bidi characters');
  }
  for (const uri of Array.isArray(uris) ? (uris as unknown[]) : []) {
    const fault = typeof uri === 'string' ? faultOf(uri, publicUrl) : 'must be strings';
    if (fault) throw invalidRedirect(`redirect_uris ${fault}`);
  }
}

/** The library's own text is that of a sign-in: that a URI was not registered. */
const invalidRedirect = (why: string) =>
  Object.assign(new errors.InvalidRedirectUri(), { error_description: why });

/** False for ids signed by a release that refused less: they no longer work. */
function isHonest(said: ClientMetadata, publicUrl: string): boolean {
  try {
    assertHonest(said, publicUrl);
    return true;
  } catch {
    return false;
  }
}

/**
 * A registration as the client meant it (RFC 7591, section 2): null and empty are absent, a single
 * text is a list of one, and grants that we do not have are left out. Some say `web` and name an
 * address of their own scheme, or leave the type out; only `native` ones may come back to any
 * loopback port (RFC 8252). A client has a secret if it asks for one, and one on the web also if it
 * does not say (RFC 7591, section 2): some work with nothing else. Native ones could not keep it.
 */
export function normalizedMetadata(said: ClientMetadata): ClientMetadata {
  const { client_name: name } = said;
  if (typeof name !== 'string' || name.trim() === '') delete said.client_name;
  const uris = listOf(said.redirect_uris);
  said.redirect_uris = uris;
  keepUsable(said, 'grant_types', GRANTS);
  keepUsable(said, 'response_types', ['code']);
  const isNative = uris.some((uri) => !String(uri).startsWith('https:'));
  said.application_type = isNative ? 'native' : 'web';
  const method = said.token_endpoint_auth_method ?? (isNative ? 'none' : SECRET_METHODS[0]!);
  said.token_endpoint_auth_method = SECRET_METHODS.includes(method as string) ? method : 'none';
  return said;
}

/** How a client that has a secret shows it. */
export const SECRET_METHODS: readonly string[] = ['client_secret_basic', 'client_secret_post'];
/** Grants that a client may ask for. */
const GRANTS = ['authorization_code', 'refresh_token'];

const listOf = (value: unknown): unknown[] =>
  [value].flat().filter((item) => item !== undefined && item !== null && item !== '');

function keepUsable(said: ClientMetadata, name: string, usable: readonly string[]): void {
  const asked = listOf(said[name]);
  const kept = asked.filter((value) => usable.includes(value as string));
  if (kept.length > 0) said[name] = kept;
  else delete said[name];
  if (kept.length > 0 || asked.length === 0) return;
  throw new errors.InvalidClientMetadata(`${name} must include ${usable[0]}`);
}

/** Its signer, and the address of the marketplace. */
interface ClientIssuer {
  readonly secrets: Secrets;
  readonly publicUrl: string;
}

/**
 * The id of a client with this registration; fields that are not kept are removed from it. Refuses
 * a registration that is too long.
 */
export function clientIdOf({ secrets, publicUrl }: ClientIssuer, said: ClientMetadata): string {
  for (const name of Object.keys(said)) {
    if (!(KEPT as readonly string[]).includes(name)) delete said[name];
  }
  normalizedMetadata(said);
  assertHonest(said, publicUrl);
  const values = KEPT.map((name) => said[name] ?? null);
  const text = Buffer.from(JSON.stringify(values)).toString('base64url');
  const { hash } = secrets.hash(PURPOSE, text);
  const id = `dcr.${text}.${hash.toString('base64url')}`;
  if (id.length <= ID_CHARS_MAX) return id;
  throw new errors.InvalidClientMetadata('the name and the redirect_uris are too long');
}

/** The registration of the client with this id; undefined: the id is not ours. */
export function openClient(
  { secrets, publicUrl }: ClientIssuer,
  id: string,
): ClientMetadata | undefined {
  const [, text, signature] = /^dcr\.([\w-]+)\.([\w-]{43})$/.exec(id) ?? [];
  if (text === undefined || signature === undefined) return undefined;
  const hash = Buffer.from(signature, 'base64url');
  if (!secrets.isHashOf(hash, PURPOSE, text)) return undefined;
  const values = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
  const entries = KEPT.map((name, n) => [name, values[n]] as const);
  const said = Object.fromEntries(entries.filter(([, value]) => value !== null));
  if (!isHonest(said, publicUrl)) return undefined;
  const hasSecret = SECRET_METHODS.includes(said.token_endpoint_auth_method as string);
  return { client_id: id, ...said, ...(hasSecret && { client_secret: secretOf(secrets, id) }) };
}

/** The secret of a client. It is derived from the id, so nobody stores it. */
export const secretOf = (secrets: Secrets, clientId: string): string =>
  secrets.hash(SECRET_PURPOSE, clientId).hash.toString('base64url');

/** Whether a secret is that of a client, also after the master key was changed. */
export const isSecretOf = (secrets: Secrets, clientId: string, secret: string): boolean =>
  secrets.isHashOf(Buffer.from(secret, 'base64url'), SECRET_PURPOSE, clientId);

/** A client as its owner sees it, with the text by which it is found again. */
export interface App {
  /** The URL that names it, or its name and its callbacks. */
  readonly app: string;
  readonly name: string;
  /** Whether a document at its URL names it. */
  readonly isProven: boolean;
}

/** The app of a client. Ports are left out: some apps take a new one for each sign-in. */
export function appOf({
  clientId,
  clientName = '',
  redirectUris = [],
}: {
  readonly clientId: string;
  readonly clientName?: string | undefined;
  readonly redirectUris?: readonly string[] | undefined;
}): App {
  if (clientId.startsWith('https:')) {
    const { host } = new URL(clientId);
    return { app: clientId, name: clientName || host, isProven: true };
  }
  const callbacks = redirectUris.map((uri) =>
    uri.replace(/^([a-z][a-z\d+.-]*:\/\/[^/]*?):\d+/i, '$1'),
  );
  return { app: [clientName, ...callbacks].join(' '), name: clientName, isProven: false };
}

/** The place that a browser is sent back to: a host, or an app on the same machine. */
export function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return ['http:', 'https:'].includes(protocol) ? host : `${protocol}//${host}`;
}
