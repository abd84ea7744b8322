import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

import { url } from '../../../platform/config/setting_values.ts';
import { isAddress, kindOf } from '../../../platform/egress/addresses.ts';
import { parseUrl } from '../../../platform/parse_url.ts';

/** A service that settles payments: it sends them to the chain, and pays the gas. */
export interface Facilitator {
  /** Its host, by which operators and the log name it. */
  readonly name: string;
  /** The paths of the protocol are below it. */
  readonly url: string;
  readonly access: FacilitatorAccess;
}

/** How our requests to a facilitator are authorized. Tokens and keys are secrets. */
type FacilitatorAccess =
  | { readonly kind: 'none' }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'jwt'; readonly signer: JwtSigner };

/** The key by which each request gets a token of its own. */
export interface JwtSigner {
  readonly keyId: string;
  readonly algorithm: 'EdDSA' | 'ES256';
  readonly key: KeyObject;
  readonly issuer: string;
  readonly audience: string;
}

/** Each may delay a payment by the time that it is waited for. */
const FACILITATORS_MAX = 5;
const FIELDS = ['url', 'token', 'key_id', 'key_secret', 'issuer', 'audience'] as const;
type Entry = Partial<Readonly<Record<(typeof FIELDS)[number], string>>>;

/** Parses X402_FACILITATORS. The message of a fault repeats nothing of it: it holds secrets. */
export function facilitators(text: string): readonly Facilitator[] {
  const entries = entriesOf(text);
  if (entries.length > FACILITATORS_MAX) {
    throw new Error(`names more than ${FACILITATORS_MAX} facilitators`);
  }
  return entries.map((entry, at) => {
    try {
      return facilitatorOf(entry);
    } catch (error) {
      throw new Error(`has a fault in its entry ${at + 1}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  });
}

/** The facilitator of X402_FACILITATOR_URL. */
export const facilitatorAt = (address: string, token: string | undefined): Facilitator => ({
  name: parseUrl(address)!.host,
  url: address,
  access: token === undefined ? { kind: 'none' } : { kind: 'token', token },
});

/**
 * The address of a facilitator. Paths are put after it, so it has no query; what is secret of it
 * has fields of its own, because its address may be shown.
 */
export function facilitatorUrl(text: string): string {
  const address = url('http', 'https')(text);
  const { username, password } = parseUrl(address)!;
  if (username + password === '' && !/[?#]/.test(address)) return address;
  throw new Error('must be a URL without a user, a password and a query: use token or key_id');
}

/** Findings: what authorizes our requests would cross public networks unencrypted. */
export const unencrypted = (list: readonly Facilitator[]): string[] =>
  list.flatMap(({ name, url: address, access }) => {
    const { protocol, hostname } = parseUrl(address)!;
    if (access.kind === 'none' || protocol === 'https:' || isNear(hostname)) return [];
    return `X402_FACILITATORS: ${name} would be sent its ${access.kind} by http: use https`;
  });

/** Whether a host is of this machine or a private network, as its name or address says. */
function isNear(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (isAddress(host)) return kindOf(host) !== 'public';
  return !host.includes('.') || /\.(internal|local|localhost)$/.test(host);
}

/** Throws if two are at one host: operators could not tell them apart. */
export function checkNames(list: readonly Facilitator[]): readonly Facilitator[] {
  if (new Set(list.map(({ name }) => name)).size === list.length) return list;
  throw new Error('names two facilitators at one host');
}

function entriesOf(text: string): readonly Entry[] {
  const wanted = `a list in JSON of objects with ${FIELDS.join(', ')}, which are texts`;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The fault of the parser quotes the text.
    throw new Error(`must be ${wanted}: this is no JSON`);
  }
  if (!Array.isArray(value) || value.length === 0) throw new Error(`must be ${wanted}`);
  const wrong = value.findIndex((one) => !isEntry(one));
  if (wrong === -1) return value as Entry[];
  throw new Error(`must be ${wanted}: entry ${wrong + 1} is none`);
}

const isEntry = (one: unknown) =>
  one !== null &&
  typeof one === 'object' &&
  Object.entries(one).every(
    ([name, content]) => FIELDS.includes(name as 'url') && typeof content === 'string',
  );

function bearer(token: string): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new Error('token must be ASCII without spaces');
}

function facilitatorOf(entry: Entry): Facilitator {
  const { url: address = '', token, key_id: keyId, key_secret: secret } = entry;
  const at = facilitatorUrl(address);
  if (secret === undefined && keyId === undefined) {
    return facilitatorAt(at, token === undefined ? undefined : bearer(token));
  }
  if (token !== undefined) throw new Error('has a token and a key: leave out one of the two');
  if (!secret || !keyId) throw new Error('needs both key_id and key_secret');
  const { issuer = 'cdp', audience = 'cdp_service' } = entry;
  const signer = { keyId, ...signingKey(secret), issuer, audience };
  return { ...facilitatorAt(at, undefined), access: { kind: 'jwt', signer } };
}

const NO_KEY =
  'key_secret must be a private key in PEM, Ed25519 or ECDSA P-256, or the 64 bytes of an Ed25519 ' +
  'key in base64';

/** A key as facilitators hand it out. */
function signingKey(secret: string): Pick<JwtSigner, 'algorithm' | 'key'> {
  const key = secret.includes('-----BEGIN') ? keyInPem(secret) : keyInBase64(secret);
  if (key?.asymmetricKeyType === 'ed25519') return { algorithm: 'EdDSA', key };
  if (key?.asymmetricKeyDetails?.namedCurve === 'prime256v1') return { algorithm: 'ES256', key };
  throw new Error(NO_KEY);
}

function keyInPem(pem: string): KeyObject | undefined {
  try {
    // A file of settings may hold its line breaks as two characters.
    return createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    return undefined;
  }
}

/** The seed of the private key, and then its public key. */
function keyInBase64(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length !== 64) return undefined;
  const d = bytes.subarray(0, 32).toString('base64url');
  const x = bytes.subarray(32).toString('base64url');
  const key = createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x }, format: 'jwk' });
  // A key that was copied wrongly signs what nobody accepts.
  return createPublicKey(key).export({ format: 'jwk' }).x === x ? key : undefined;
}
