import { exceptionOf } from '../egress/addresses.ts';
import { egressProxy } from './egress_proxy.ts';
import type { SettingReader } from './environment.ts';
import { examplePasswords, weakMasterKeys } from '../self_checks/unsafe_secrets.ts';
import {
  flag,
  list,
  masterKeys,
  nameServers,
  oneOf,
  postgresUrl,
  redisUrl,
  whole,
} from './setting_values.ts';

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Time in ms of STOP_MS that is left, after DRAIN_MS, for the calls that are not answered yet. */
const REST_OF_STOP_MS = 3_000;

/** Settings of every process. */
export function platformSettings({ read, optional, check }: SettingReader) {
  const databaseUrl = read('DATABASE_URL', undefined, postgresUrl);
  const keys = read('MASTER_KEYS', undefined, masterKeys);
  const owner = optional('MIGRATION_DATABASE_URL', postgresUrl);
  const standby = optional('DATABASE_READ_URL', postgresUrl);
  const redis = read('REDIS_URL', undefined, redisUrl);
  check('secrets', [
    ...weakMasterKeys(keys ?? []),
    ...examplePasswords({
      DATABASE_URL: databaseUrl,
      MIGRATION_DATABASE_URL: owner,
      DATABASE_READ_URL: standby,
      REDIS_URL: redis,
    }),
  ]);
  const mode = read('NODE_ENV', 'development', oneOf('development', 'production', 'test'));
  const stopMs = read('STOP_MS', '9000', whole(100, 600_000));
  const drainMsMax = Math.max(0, stopMs - REST_OF_STOP_MS);
  const drainMs = mode === 'production' ? Math.min(4_000, drainMsMax) : 0;
  return Object.freeze({
    production: mode === 'production',
    /** URL for the application's role, which does not own the tables if the two URLs differ. */
    databaseUrl,
    /** URL for the role that owns the schema. */
    migrationDatabaseUrl: owner ?? databaseUrl,
    /** URL of a standby for reads that may be some seconds old; undefined: none. */
    databaseReadUrl: standby,
    /** Age in ms up to which they may be. */
    databaseReadLagMs: read('DATABASE_READ_LAG_MS', '5000', whole(1_000, 600_000)),
    databaseConnections: read('DATABASE_CONNECTIONS', '16', whole(2, 500)),
    /** Whether statements are prepared; false for a PgBouncer before 1.21. */
    databasePrepares: read('DATABASE_PREPARES', 'true', flag),
    /** Time in ms without an answer of the database after which a call is refused. */
    databaseMs: read('DATABASE_MS', '20000', whole(100, 600_000)),
    /** Time in ms that a transaction waits for a new or free connection before it fails. */
    databaseConnectMs: read('DATABASE_CONNECT_MS', '3000', whole(100, 600_000)),
    redisUrl: redis,
    /** Time in ms that a call waits for Redis before it goes on without. */
    redisMs: read('REDIS_MS', '800', whole(100, 10_000)),
    /** Master keys with their ids, 32 bytes each; the first seals, all open. */
    masterKeys: keys,
    /** Targets that are not public but allowed for outgoing connections; none by default. */
    egressAllow: read('EGRESS_ALLOW', '', (text) => list(text).map(exceptionOf)),
    /** SOCKS5 proxy of outgoing connections to hosts that others name; undefined: none. */
    egressProxy: optional('EGRESS_PROXY', egressProxy),
    /** Name servers as `address` or `address:port`; none: the system's. */
    dnsServers: read('DNS_SERVERS', '', nameServers),
    /** Time in ms after which a process that was told to end does so, even if something hangs. */
    stopMs,
    /** Time in ms for which an API that is told to end still serves, and says that it leaves. */
    drainMs: read('DRAIN_MS', String(drainMs), whole(0, drainMsMax)),
    /** Version of the program, for operators: a commit, a tag; undefined: its folder. */
    release: optional('RELEASE', (text) => text.slice(0, 64)),
    logLevel: read('LOG_LEVEL', 'info', oneOf(...LOG_LEVELS)),
  });
}

export type PlatformSettings = ReturnType<typeof platformSettings>;
