import { fromUsd } from '../ledger/money.ts';
import { WAIT_SECONDS_MAX } from '../jobs/settings.ts';
import type { SettingReader } from '../platform/config/environment.ts';
import { list, orOff, origins, url as webUrl, whole } from '../platform/config/setting_values.ts';
import { parseUrl } from '../platform/parse_url.ts';

/** Where the marketplace is reached, and how much of it an API process takes on. */
export function apiSettings({ production, read, optional, check }: SettingReader) {
  const port = read('PORT', '3000', whole(0, 65_535));
  const host = read('HOST', 'localhost', String);
  check('public_url', unusablePublicUrl(optional('PUBLIC_URL', String), production));
  return Object.freeze({
    port,
    host,
    /** The `{base_url}` of links, without a slash at its end. */
    publicUrl: read('PUBLIC_URL', `http://${shownHost(host)}:${port}`, origin),
    /** Host names at which MCP may be reached, beside that of PUBLIC_URL and loopback. */
    allowedHosts: read('ALLOWED_HOSTS', '', list),
    /** Origins whose pages may read answers and call with a key; `*`: all of them. */
    corsOrigins: read('CORS_ORIGINS', '*', origins),
    /** How many routers in front of the API add the address they see to X-Forwarded-For. */
    trustedHops: read('TRUSTED_HOPS', '0', whole(0, 5)),
    /** Calls that an API process has in hand at once; beyond them it refuses. */
    callsMax: read('CALLS_MAX', '300', whole(1, 100_000)),
    /**
     * How long all of those may be in use without one being finished, in ms: then the process is
     * not ready, and DATABASE_MS later it ends, for a new one to be started.
     */
    stuckMs: read('STUCK_MS', '20000', whole(100, 600_000)),
    /** Calls in a minute of a tree, by its tier, and of an address without a key. null: any. */
    rateLimits: Object.freeze({
      free: read('RATE_LIMIT_FREE', '600', callsAMinute),
      basic: read('RATE_LIMIT_BASIC', '3000', callsAMinute),
      pro: read('RATE_LIMIT_PRO', '12000', callsAMinute),
      public: read('RATE_LIMIT_PUBLIC', '600', callsAMinute),
    }),
    /** From how much settled inflow on a tree has a tier, set in whole dollars. */
    tiers: Object.freeze({
      basic: read('TIER_BASIC_FROM', '50', dollars),
      pro: read('TIER_PRO_FROM', '1000', dollars),
    }),
    /** Connections that an API process holds open at once. */
    connectionsMax: read('CONNECTIONS_MAX', '5000', whole(1, 1_000_000)),
    /** How long a client may take to send a request, in ms. */
    requestMs: read('REQUEST_MS', '30000', whole(1_000, 600_000)),
    /** How long a request waits for its job before it answers 202, in ms. */
    waitMs: read('WAIT_MS', '10000', whole(0, WAIT_SECONDS_MAX * 1_000)),
  });
}

const dollars = (text: string) => fromUsd(whole(1, 1e9)(text));
/** As many as a batch may have at least. */
const callsAMinute = orOff(whole(50, 1e9));

/** This machine by its name, which browsers take for passkeys; another by its address. */
const shownHost = (host: string): string => {
  if (['localhost', '127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const WANTED = 'set it to the https address that callers use, such as https://market.example.com';

/** As clients write it, which compare it: lower case, without the port of the scheme. */
function origin(text: string): string {
  const { protocol, host } = new URL(webUrl('http', 'https')(text));
  return `${protocol}//${host}`;
}

/** Links, Location, sign-ins of apps and the addresses of MCP are all made from it. */
function unusablePublicUrl(text: string | undefined, production: boolean): string[] {
  if (text === undefined) {
    return production ? [`PUBLIC_URL is not set: ${WANTED}`] : [];
  }
  const url = parseUrl(text);
  if (!url) return []; // A fault by itself.
  const { protocol, host, pathname, username, password } = url;
  // A bare `?` or `#` leaves nothing in the URL's fields.
  const isBare = pathname === '/' && !/[?#]/.test(text) && username + password === '';
  return [
    ...(protocol === 'http:' && production
      ? [`PUBLIC_URL is an http address, so keys and passwords could be read: ${WANTED}`]
      : []),
    ...(host.includes('*')
      ? [`PUBLIC_URL has a host that nobody can look up, ${host}: ${WANTED}`]
      : []),
    ...(isBare
      ? []
      : [
          `PUBLIC_URL has more than a host and a port, and nothing is served below a path: ` +
            `set it to https://${host}, and let the router in front serve that host whole`,
        ]),
  ];
}

export type ApiSettings = ReturnType<typeof apiSettings>;
