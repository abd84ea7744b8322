import { randomBytes } from 'node:crypto';

import { exceptionOf, type Exception } from '../addresses.ts';
import {
  flag,
  hostPort,
  list,
  mailbox,
  masterKeys,
  nameServers,
  oneOf,
  secret,
  url,
  whole,
  words,
  type MasterKey,
} from './setting_values.ts';

/**
 * Every setting of every process, read once at start. The only file that reads the environment.
 * A fault in any of them stops the start, and all faults are named at once.
 */
export interface Config {
  readonly production: boolean;
  readonly port: number;
  readonly host: string;
  /** The `{base_url}` of links, without a slash at its end. */
  readonly publicUrl: string;
  /** The application's role. Not the owner of the ledger's tables when the two URLs differ. */
  readonly databaseUrl: string;
  /** The role that owns the schema. */
  readonly migrationDatabaseUrl: string;
  readonly redisUrl: string;
  readonly dataDir: string;
  readonly operatorToken: string;
  /** Master keys by id; the first seals, all open. 32 bytes each. */
  readonly masterKeys: readonly MasterKey[];
  /** Worker processes that `npm start` runs. */
  readonly workers: number;
  /** The queues this worker takes from; empty means all of them. */
  readonly queues: readonly string[];
  /** BullMQ jobs (single calls or batches) that one worker process has in hand per queue. */
  readonly concurrency: number;
  readonly databaseConnections: number;
  /** How long the database may be silent before a call is told so, in ms. */
  readonly databaseMs: number;
  /** Calls that an API process has in hand at once; beyond them it refuses. */
  readonly callsMax: number;
  /** Connections that an API process holds open at once. */
  readonly connectionsMax: number;
  /** How long a client may take to send a request, in ms. */
  readonly requestMs: number;
  /** Approve products as they are submitted: for development. */
  readonly autoApproveProducts: boolean;
  /** How long a request waits for its job before it answers 202, in ms. */
  readonly waitMs: number;
  readonly logLevel: string;
  /** Which chain link may supply Redis when REDIS_URL is unset; undefined tries all in order. */
  readonly embeddedRedis: 'path' | 'apt' | undefined;
  /** Host names at which MCP may be reached, beside that of PUBLIC_URL and loopback. */
  readonly allowedHosts: readonly string[];
  /** What outgoing connections may reach although it is not public. None unless it is set. */
  readonly egressAllow: readonly Exception[];
  /** Name servers as `address` or `address:port`; none: the system's. */
  readonly dnsServers: readonly string[];
  /** Whether mail servers are asked for mailboxes: as whom, and at which port. */
  readonly smtpProbe: { readonly from: string; readonly port: number } | undefined;
  /** Where lists of proxies are: URLs and files. */
  readonly proxySources: readonly string[];
  /** Whether those are proxies of this machine, for trying out. */
  readonly demoProxies: boolean;
  /** Where our API can be asked through a proxy who is asking. */
  readonly proxyJudges: readonly string[];
  /** How long a proxy may take to bring the judge's answer, in ms. */
  readonly proxyCheckMs: number;
  /** A .mmdb with countries; undefined: the one that comes along. */
  readonly countryDatabase: string | undefined;
  /** How many routers in front of the API add the address they see to X-Forwarded-For. */
  readonly trustedHops: number;
  /** The rotating SOCKS5 door; undefined: nobody opens one. */
  readonly socks: SocksSettings | undefined;
  /** Where buyers find it, `host:port`; undefined: they are told that it is not open. */
  readonly socksAddress: string | undefined;
}

export interface SocksSettings {
  readonly port: number;
  /** Ports that buyers may connect to. */
  readonly targetPorts: readonly number[];
  /** Connections at a time, of one door process and of one agent over all of them. */
  readonly connections: number;
  readonly connectionsPerAgent: number;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export class BadSettings extends Error {}

/**
 * Reads the settings. `npm start` fills in what it provides itself (the servers' URLs, generated
 * secrets) and passes it down, so that each process below it reads a complete environment.
 */
export function readConfig(env: Environment = process.env): Config {
  const faults: string[] = [];
  const production = env.NODE_ENV === 'production';

  const read = <T>(name: string, fallback: string | undefined, parse: (text: string) => T): T => {
    const text = env[name] || fallback;
    if (text === undefined) {
      faults.push(`${name} is not set`);
      return undefined as T;
    }
    try {
      return parse(text);
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
      return undefined as T;
    }
  };

  const port = read('PORT', '3000', whole(0, 65_535));
  const host = read('HOST', '127.0.0.1', String);
  const databaseUrl = read('DATABASE_URL', undefined, url('postgres', 'postgresql'));
  const publicUrl = read('PUBLIC_URL', `http://127.0.0.1:${port}`, url('http', 'https'));
  const hostname = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : host;
  const config: Config = {
    production,
    port,
    host,
    publicUrl,
    databaseUrl,
    migrationDatabaseUrl: env.MIGRATION_DATABASE_URL
      ? read('MIGRATION_DATABASE_URL', undefined, url('postgres', 'postgresql'))
      : databaseUrl,
    redisUrl: read('REDIS_URL', undefined, url('redis', 'rediss')),
    dataDir: read('DATA_DIR', '.data', String),
    operatorToken: read('OPERATOR_TOKEN', undefined, secret),
    masterKeys: read('MASTER_KEYS', undefined, masterKeys),
    workers: read('WORKERS', '1', whole(0, 64)),
    queues: read('QUEUES', ' ', list),
    concurrency: read('WORKER_CONCURRENCY', '8', whole(1, 256)),
    databaseConnections: read('DATABASE_CONNECTIONS', '16', whole(2, 500)),
    databaseMs: read('DATABASE_MS', '20000', whole(100, 600_000)),
    callsMax: read('CALLS_MAX', '300', whole(1, 100_000)),
    connectionsMax: read('CONNECTIONS_MAX', '5000', whole(1, 1_000_000)),
    requestMs: read('REQUEST_MS', '30000', whole(1_000, 600_000)),
    autoApproveProducts: read('AUTO_APPROVE_PRODUCTS', production ? 'false' : 'true', flag),
    waitMs: read('WAIT_MS', '10000', whole(0, 25_000)),
    logLevel: read('LOG_LEVEL', 'info', oneOf(...LOG_LEVELS)),
    embeddedRedis: env.EMBEDDED_REDIS
      ? read('EMBEDDED_REDIS', undefined, oneOf('path', 'apt'))
      : undefined,
    allowedHosts: read('ALLOWED_HOSTS', ' ', list),
    egressAllow: read('EGRESS_ALLOW', ' ', (text) => list(text).map(exceptionOf)),
    dnsServers: read('DNS_SERVERS', ' ', nameServers),
    smtpProbe: env.SMTP_PROBE_FROM
      ? {
          from: read('SMTP_PROBE_FROM', undefined, mailbox),
          port: read('SMTP_PROBE_PORT', '25', whole(1, 65_535)),
        }
      : undefined,
    proxySources: read('PROXY_SOURCES', ' ', words),
    demoProxies: read('DEMO_PROXIES', 'false', flag),
    proxyJudges: read('PROXY_JUDGES', `${publicUrl}/api/v1/proxy/judge`, (text) =>
      words(text).map(url('http', 'https')),
    ),
    proxyCheckMs: read('PROXY_CHECK_MS', '8000', whole(50, 20_000)),
    countryDatabase: env.COUNTRY_DATABASE,
    trustedHops: read('TRUSTED_HOPS', '0', whole(0, 5)),
    socks: env.SOCKS_PORT
      ? {
          port: read('SOCKS_PORT', undefined, whole(0, 65_535)),
          targetPorts: read('SOCKS_TARGET_PORTS', '80,443,8080,8443', (text) =>
            list(text).map(whole(1, 65_535)),
          ),
          connections: read('SOCKS_CONNECTIONS', '2000', whole(1, 20_000)),
          connectionsPerAgent: read('SOCKS_CONNECTIONS_PER_AGENT', '100', whole(1, 20_000)),
        }
      : undefined,
    socksAddress:
      env.SOCKS_ADDRESS || Number(env.SOCKS_PORT) > 0
        ? read('SOCKS_ADDRESS', `${hostname}:${env.SOCKS_PORT}`, hostPort)
        : undefined,
  };
  read('NODE_ENV', 'development', oneOf('development', 'production', 'test'));

  if (faults.length > 0) {
    throw new BadSettings(
      `Bad settings (see .env.example):\n${faults.map((f) => `  ${f}`).join('\n')}`,
    );
  }
  return Object.freeze(config);
}

/** The environment of a process that this one starts. */
export const environmentWith = (changes: Environment): Record<string, string | undefined> => ({
  ...process.env,
  ...changes,
});

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** One master key as MASTER_KEYS wants it: `<id>:<32 bytes in base64url>`. */
export const newMasterKey = (id: string) => `${id}:${randomBytes(32).toString('base64url')}`;
