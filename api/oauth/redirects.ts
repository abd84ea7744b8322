import { parseUrl } from '../../shared/platform/parse_url.ts';

/** Visible ASCII (RFC 3986) without a backslash, which browsers read as a slash. */
const URI = /^[\x21-\x5b\x5d-\x7e]+$/;

/**
 * The reason why no code is sent to a URI: it could lead elsewhere than it seems to, or to us.
 * Undefined: there is none.
 */
export function faultOf(uri: string, publicUrl: string): string | undefined {
  const url = URI.test(uri) ? parseUrl(uri) : undefined;
  if (!url) return 'must be absolute URIs in ASCII';
  if (url.username !== '' || url.password !== '') return 'must not hold user information';
  if (!isAsRead(uri, url)) return 'must be written in full: scheme://host, as browsers read it';
  if (uri.includes('#')) return 'must not hold a fragment';
  if (isOurs(uri, publicUrl)) return 'must lead to the app, not to this marketplace';
  return decoded(uri).includes('*') ? 'must not hold wildcards: send the exact address' : undefined;
}

/**
 * Whether a URI leads to this marketplace: a code that comes back to one of its pages stays in its
 * history and logs. The scheme is not compared, because http leads on to https.
 */
function isOurs(uri: string, publicUrl: string): boolean {
  const url = parseUrl(uri);
  return url !== undefined && placeOf(url) === placeOf(new URL(publicUrl));
}

/** The port is that of the scheme if none is written: 80 and 443 are one place. */
function placeOf({ hostname, port }: URL): string {
  const host = hostname.replace(/\.$/, '');
  return `${LOOPBACK.test(host) ? 'localhost' : host}:${port}`;
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** Browsers read `https:example.com` and `http://2130706433/` as other hosts than people do. */
const isAsRead = (uri: string, { protocol, hostname }: URL): boolean =>
  !['http:', 'https:'].includes(protocol) ||
  uri.toLowerCase().startsWith(`${protocol}//${hostname}`);

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

/**
 * Whether two redirect URIs of a native app are one place: `127.0.0.1`, `[::1]` and `localhost`
 * name its own machine, at any port (RFC 8252, section 7.3). Path and query are exact.
 */
export function isSameLoopback(asked: string, registered: string): boolean {
  const [one, other] = [loopbackOf(asked), loopbackOf(registered)];
  return one !== undefined && one === other;
}

/** The path and query at this machine, as they are written; undefined: it leads elsewhere. */
function loopbackOf(uri: string): string | undefined {
  const url = parseUrl(uri);
  if (url?.protocol !== 'http:' || !OWN_MACHINE.has(url.hostname)) return undefined;
  const [, rest] = /^http:\/\/[^/?#@]+(.*)$/i.exec(uri) ?? [];
  return rest === '' ? '/' : rest;
}

const OWN_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);
