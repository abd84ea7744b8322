import type { Secrets } from '../../shared/platform/secrets.ts';
import { parseUrl } from '../../shared/platform/parse_url.ts';
import { errors } from './oidc_provider.mjs';

/*
 * A client registers without a row: its id is what it said, signed by us. So nobody can fill a
 * table by registering, and the same app gets the same id each time (RFC 7591, section 3.2.1 leaves
 * the form of an id to the server).
 */

/** What is kept of a registration, in the order in which an id holds it. */
const KEPT = [
  'client_name',
  'redirect_uris',
  'application_type',
  'grant_types',
  'response_types',
  'token_endpoint_auth_method',
] as const;
/** Of an id: it comes back in URLs. */
const ID_CHARS_MAX = 2_000;
const PURPOSE = 'oauth-client';

/** Controls, what reorders text, and no text at all: a name with them deceives who reads it. */
const DECEPTIVE = new RegExp(
  String.raw`[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069` +
    String.raw`\u{e0000}-\u{e007f}\ud800-\udfff]`,
  'u',
);
/** Visible ASCII (RFC 3986) without a backslash, which browsers read as a slash. */
const URI = /^[\x21-\x5b\x5d-\x7e]+$/;

/** What a client says of itself. */
export type ClientMetadata = Record<string, unknown>;

/**
 * Refuses a name that deceives its reader, and addresses that could lead elsewhere than they seem
 * to (RFC 7591, section 3.2.2; RFC 9700, section 4.1): by exact comparison, only they are sent to.
 */
export function assertHonest({ client_name: name, redirect_uris: uris }: ClientMetadata): void {
  if (typeof name === 'string' && DECEPTIVE.test(name)) {
    throw new errors.InvalidClientMetadata('client_name must not hold control or bidi characters');
  }
  for (const uri of Array.isArray(uris) ? (uris as unknown[]) : []) {
    const fault = typeof uri === 'string' ? faultOf(uri) : 'must be strings';
    if (fault) throw new errors.InvalidRedirectUri(`redirect_uris ${fault}`);
  }
}

/** Ids that were signed by a release that refused less are no good any more. */
function isHonest(said: ClientMetadata): boolean {
  try {
    assertHonest(said);
    return true;
  } catch {
    return false;
  }
}

function faultOf(uri: string): string | undefined {
  const url = URI.test(uri) ? parseUrl(uri) : undefined;
  if (!url) return 'must be absolute URIs in ASCII';
  if (url.username !== '' || url.password !== '') return 'must not hold user information';
  if (uri.includes('#')) return 'must not hold a fragment';
  return decoded(uri).includes('*') ? 'must not hold wildcards: send the exact address' : undefined;
}

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/**
 * What a client means. Some say `web` and name an address of their own scheme, or leave the type
 * out; only `native` ones may come back to any port of loopback (RFC 8252). Nobody has a secret.
 */
export function meant(said: ClientMetadata): ClientMetadata {
  const uris = Array.isArray(said.redirect_uris) ? said.redirect_uris : [];
  const isNative = uris.some((uri) => !String(uri).startsWith('https:'));
  said.application_type = isNative ? 'native' : 'web';
  said.token_endpoint_auth_method = 'none';
  return said;
}

/**
 * The id of a client that says this of itself; what is not kept is taken out of it. Refuses one
 * that says too much.
 */
export function clientIdOf(secrets: Secrets, said: ClientMetadata): string {
  for (const name of Object.keys(said)) {
    if (!(KEPT as readonly string[]).includes(name)) delete said[name];
  }
  assertHonest(said);
  meant(said);
  const values = KEPT.map((name) => said[name] ?? null);
  const text = Buffer.from(JSON.stringify(values)).toString('base64url');
  const { hash } = secrets.hash(PURPOSE, text);
  const id = `dcr.${text}.${hash.toString('base64url')}`;
  if (id.length <= ID_CHARS_MAX) return id;
  throw new errors.InvalidClientMetadata('the name and the redirect_uris are too long');
}

/** What the client of this id said; undefined: the id is not one of ours. */
export function openClient(secrets: Secrets, id: string): ClientMetadata | undefined {
  const [, text, signature] = /^dcr\.([\w-]+)\.([\w-]{43})$/.exec(id) ?? [];
  if (text === undefined || signature === undefined) return undefined;
  const hash = Buffer.from(signature, 'base64url');
  if (!secrets.isHashOf(hash, PURPOSE, text)) return undefined;
  const values = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[];
  const entries = KEPT.map((name, n) => [name, values[n]] as const);
  const said = Object.fromEntries(entries.filter(([, value]) => value !== null));
  return isHonest(said) ? { client_id: id, ...said } : undefined;
}

/** A client as the owner who allows it sees it, and by what it is found again. */
export interface App {
  /** The URL that names it, or its name and its callbacks. */
  readonly app: string;
  readonly name: string;
  /** Whether a document at its URL names it. */
  readonly isProven: boolean;
}

/** Ports are left out: some apps take a new one each time that they sign in. */
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

/** Where a browser is sent back to: a host, or the address of an app on the same machine. */
export function hostOf(redirectUri: string): string {
  const { host, protocol } = new URL(redirectUri);
  return ['http:', 'https:'].includes(protocol) ? host : `${protocol}//${host}`;
}
