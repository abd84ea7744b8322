import type { SettingReader } from '../../platform/config/environment.ts';
import { flag, hostPort, list, url, urlList, whole } from '../../platform/config/setting_values.ts';
import { PAGE_PATH } from './checks/page.ts';
import { parseUrl } from '../../platform/parse_url.ts';

/** Reads the settings. `publicUrl` is the default of the judge's address and the SOCKS5 host. */
export function proxySettings(
  { read, optional }: SettingReader,
  { publicUrl }: { readonly publicUrl: string },
) {
  const socks = socksSettings({ read, optional });
  const named = parseUrl(publicUrl)?.hostname ?? 'localhost';
  // Programs that use a proxy often try one address of a name only.
  const hostname = named === 'localhost' ? '127.0.0.1' : named;
  const urls = (text: string) => urlList(text).map(url('http', 'https'));
  return Object.freeze({
    /** Lists of proxies: URLs and files. */
    sources: read('PROXY_SOURCES', '', urlList),
    /** Whether they are proxies of this machine, for trials. */
    demo: read('DEMO_PROXIES', 'false', flag),
    /** Addresses of our API, called through a proxy whose exit address it sees. */
    judges: read('PROXY_JUDGES', `${publicUrl}/api/v1/proxy/judge`, urls),
    /** Pages that do not change and are not the judge's; each check fetches one of them too. */
    pages: read('PROXY_PAGES', publicUrl + PAGE_PATH, urls),
    /** Pages by https; each check fetches one. None: whether TLS passes is not known. */
    tlsPages: read('PROXY_TLS_PAGES', '', (text) => urlList(text).map(url('https'))),
    /** A file with an authority, in PEM, that is trusted for these beside the usual ones. */
    tlsAuthority: optional('PROXY_TLS_AUTHORITY', String),
    /** Maximum time of a proxy to return the judge's answer, and again each page, in ms. */
    checkMs: read('PROXY_CHECK_MS', '8000', whole(50, 20_000)),
    /** A .mmdb with countries; undefined: the one of the npm package. */
    countryDatabase: optional('COUNTRY_DATABASE', String),
    /** A .mmdb with cities, and one with autonomous systems; undefined: none is known. */
    cityDatabase: optional('CITY_DATABASE', String),
    asnDatabase: optional('ASN_DATABASE', String),
    /** The rotating SOCKS5 server; undefined: none is run. */
    socks,
    /** Its address for buyers, `host:port`; undefined: it is shown as not open. */
    socksAddress:
      socks && socks.port > 0
        ? read('SOCKS_ADDRESS', `${hostname}:${socks.port}`, hostPort)
        : optional('SOCKS_ADDRESS', hostPort),
  });
}

function socksSettings({ read, optional }: Pick<SettingReader, 'read' | 'optional'>) {
  const ports = (text: string) => list(text).map(whole(1, 65_535));
  const port = optional('SOCKS_PORT', whole(0, 65_535));
  const server = {
    /** Ports that buyers may connect to. */
    targetPorts: read('SOCKS_TARGET_PORTS', '80,443,8080,8443', ports),
    /** Maximum open connections of one SOCKS5 process, and of one agent over all processes. */
    connections: read('SOCKS_CONNECTIONS', '2000', whole(1, 20_000)),
    connectionsPerAgent: read('SOCKS_CONNECTIONS_PER_AGENT', '100', whole(1, 20_000)),
    /** Maximum open connections of a tree that has never received cash. */
    connectionsOnCredit: read('SOCKS_CONNECTIONS_ON_CREDIT', '10', whole(1, 20_000)),
  };
  /** Port of its health check and metrics; undefined: none. */
  const healthPort = optional('SOCKS_HEALTH_PORT', whole(1, 65_535));
  return port === undefined ? undefined : Object.freeze({ port, healthPort, ...server });
}

/** Hosts of pages that are a judge's too: a proxy could be honest to those alone. */
export function sharedHostsOf({ pages, judges }: Pick<ProxySettings, 'pages' | 'judges'>) {
  const hostOf = (address: string) => new URL(address).hostname;
  const ofJudges = new Set(judges.map(hostOf));
  return pages.map(hostOf).filter((host) => ofJudges.has(host));
}

export type ProxySettings = ReturnType<typeof proxySettings>;
export type SocksSettings = NonNullable<ProxySettings['socks']>;
