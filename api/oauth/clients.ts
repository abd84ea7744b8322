import type { Secrets } from '../../shared/platform/secrets.ts';
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

/** What a client says of itself. */
export type ClientMetadata = Record<string, unknown>;

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
  return { client_id: id, ...Object.fromEntries(entries.filter(([, value]) => value !== null)) };
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
