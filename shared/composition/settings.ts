import { fromUsd } from '../kernel/money.ts';
import { WAIT_SECONDS_MAX } from '../jobs/settings.ts';
import type { SettingReader } from '../platform/config/environment.ts';
import { list, orOff, origins, url as webUrl, whole } from '../platform/config/setting_values.ts';
import { sandboxedNetworks } from '../domains/deposits/sandboxed/settings.ts';
import { parseUrl } from '../platform/parse_url.ts';

/** Addresses of the marketplace and limits of an API process. */
export function apiSettings({ production, read, optional, check }: SettingReader) {
  const port = read('PORT', '3000', whole(0, 65_535));
  const host = read('HOST', 'localhost', String);
  check('public_url', unsafePublicUrl(optional('PUBLIC_URL', String), production));
  return Object.freeze({
    port,
    host,
    /** The `{base_url}` of links, without a trailing slash. */
    publicUrl: read('PUBLIC_URL', `http://${shownHost(host)}:${port}`, origin),
    /** Host names that MCP accepts besides that of PUBLIC_URL and loopback. */
    allowedHosts: read('ALLOWED_HOSTS', '', list),
    /** Origins whose pages may call with a key and read answers; `*`: all. */
    corsOrigins: read('CORS_ORIGINS', '*', origins),
    /** Number of proxies in front of the API that add an address to X-Forwarded-For. */
    trustedHops: read('TRUSTED_HOPS', '0', whole(0, 5)),
    /** Maximum concurrent calls of an API process; it refuses more. */
    callsMax: read('CALLS_MAX', '300', whole(1, 100_000)),
    /**
     * Time in ms that all of those may be in use without one finishing. Then the process is not
     * ready, and DATABASE_MS later it ends, so that a new one is started.
     */
    stuckMs: read('STUCK_MS', '20000', whole(100, 600_000)),
    /** Calls a minute of a tree, by tier, and of an address without a key. null: no limit. */
    rateLimits: Object.freeze({
      free: read('RATE_LIMIT_FREE', '600', callsAMinute),
      basic: read('RATE_LIMIT_BASIC', '3000', callsAMinute),
      pro: read('RATE_LIMIT_PRO', '12000', callsAMinute),
      public: read('RATE_LIMIT_PUBLIC', '600', callsAMinute),
    }),
    /** Settled inflow from which a tree has a tier, set in whole dollars. */
    tiers: Object.freeze({
      basic: read('TIER_BASIC_FROM', '50', dollars),
      pro: read('TIER_PRO_FROM', '1000', dollars),
    }),
    /** Maximum open connections of an API process. */
    connectionsMax: read('CONNECTIONS_MAX', '5000', whole(1, 1_000_000)),
    /** Time in ms that a client has to send a request. */
    requestMs: read('REQUEST_MS', '30000', whole(1_000, 600_000)),
    /** Time in ms that a request waits for its job before it is answered 202. */
    waitMs: read('WAIT_MS', '10000', whole(0, WAIT_SECONDS_MAX * 1_000)),
  });
}

/**
 * Whether this is a sandbox: SANDBOX is true, or names networks and no other money is there. Its
 * time can be moved, which would release real money before its time: beside settings that select
 * networks of real money true is refused, not in production alone.
 */
export const sandboxSetting = ({ read }: SettingReader, real: readonly string[]): boolean =>
  read('SANDBOX', 'false', (text) => {
    const isSandbox = text === 'true';
    if (!isSandbox) return sandboxedNetworks(text).length > 0 && real.length === 0;
    if (real.length === 0) return true;
    throw new Error(`must not be true beside real money by ${real.join(', ')}`);
  });

const dollars = (text: string) => fromUsd(whole(1, 1e9)(text));
/** At least 50, the size of a batch of calls. */
const callsAMinute = orOff(whole(50, 1e9));

/** This machine as `localhost`, which browsers accept for passkeys; another by its address. */
const shownHost = (host: string): string => {
  if (['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const WANTED = 'set it to the https address that callers use, such as https://market.example.com';

/**
 * Normalised as clients compare it: lower case, without the scheme's default port. A path is
 * refused everywhere: links, cookies and sign-ins are made from the origin alone.
 */
function origin(text: string): string {
  const { protocol, host, pathname, username, password } = new URL(webUrl('http', 'https')(text));
  // The text is tested too: a bare `?` or `#` leaves no trace in the URL's fields.
  if (pathname !== '/' || /[?#]/.test(text) || username + password !== '') {
    throw new Error(
      `has more than a host and a port, and nothing is served below a path: ` +
        `set it to ${protocol}//${host}, and let the router in front serve that host whole`,
    );
  }
  return `${protocol}//${host}`;
}

/** Faults of PUBLIC_URL that production refuses: links, sign-ins and keys depend on it. */
function unsafePublicUrl(text: string | undefined, production: boolean): string[] {
  if (text === undefined) {
    return production ? [`PUBLIC_URL is not set: ${WANTED}`] : [];
  }
  const url = parseUrl(text);
  if (!url) return []; // Its parser reports that fault.
  return [
    ...(url.protocol === 'http:' && production
      ? [`PUBLIC_URL is an http address, so keys and passwords could be read: ${WANTED}`]
      : []),
    ...(url.host.includes('*')
      ? [`PUBLIC_URL has a host that nobody can look up, ${url.host}: ${WANTED}`]
      : []),
  ];
}

export type ApiSettings = ReturnType<typeof apiSettings>;
