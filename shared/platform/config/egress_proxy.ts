import { parseUrl } from '../parse_url.ts';
import { checkUser } from './url_user.ts';

/** A SOCKS5 proxy (RFC 1928) of the operator, with its user and password (RFC 1929). */
export interface EgressProxy {
  readonly host: string;
  readonly port: number;
  readonly user?: string;
  readonly password?: string;
}

const SOCKS_PORT = 1_080;

/**
 * Reads `socks5://user:password@host:port`; the port is 1080 unless given. Throws its fault in
 * words that follow the name of the setting.
 */
export function egressProxy(text: string): EgressProxy {
  checkUser(text);
  const url = parseUrl(text);
  if (url?.protocol !== 'socks5:' || !url.hostname || /^\/?$/.test(url.pathname) === false) {
    throw new Error('must be socks5://user:password@host:port');
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port) || SOCKS_PORT,
    ...(url.username && {
      user: decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    }),
  };
}
