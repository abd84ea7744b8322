import { exceptionOf } from '../egress/addresses.ts';
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

/** What every process needs, whatever it serves. */
export function platformSettings({ read, optional, check }: SettingReader) {
  const databaseUrl = read('DATABASE_URL', undefined, postgresUrl);
  const keys = read('MASTER_KEYS', undefined, masterKeys);
  const owner = optional('MIGRATION_DATABASE_URL', postgresUrl);
  const redis = read('REDIS_URL', undefined, redisUrl);
  check('secrets', [
    ...weakMasterKeys(keys ?? []),
    ...examplePasswords({
      DATABASE_URL: databaseUrl,
      MIGRATION_DATABASE_URL: owner,
      REDIS_URL: redis,
    }),
  ]);
  const mode = read('NODE_ENV', 'development', oneOf('development', 'production', 'test'));
  return Object.freeze({
    production: mode === 'production',
    /** The application's role. Not the owner of the ledger's tables when the two URLs differ. */
    databaseUrl,
    /** The role that owns the schema. */
    migrationDatabaseUrl: owner ?? databaseUrl,
    databaseConnections: read('DATABASE_CONNECTIONS', '16', whole(2, 500)),
    /** PostgreSQL keeps the plans of statements. false: as a PgBouncer before 1.21 needs it. */
    databasePrepares: read('DATABASE_PREPARES', 'true', flag),
    /** How long the database may leave a call unanswered before the call is refused, in ms. */
    databaseMs: read('DATABASE_MS', '20000', whole(100, 600_000)),
    /** How long a transaction waits for a connection, new or free, before it fails. */
    databaseConnectMs: read('DATABASE_CONNECT_MS', '3000', whole(100, 600_000)),
    redisUrl: redis,
    /** How long a call waits for an answer of Redis, before it goes on without, in ms. */
    redisMs: read('REDIS_MS', '800', whole(100, 10_000)),
    /** Master keys by id; the first seals, all open. 32 bytes each. */
    masterKeys: keys,
    /** What outgoing connections may reach although it is not public. None unless it is set. */
    egressAllow: read('EGRESS_ALLOW', '', (text) => list(text).map(exceptionOf)),
    /** Name servers as `address` or `address:port`; none: the system's. */
    dnsServers: read('DNS_SERVERS', '', nameServers),
    /** When a process that is told to end does so, whatever hangs, in ms. */
    stopMs: read('STOP_MS', '9000', whole(100, 600_000)),
    logLevel: read('LOG_LEVEL', 'info', oneOf(...LOG_LEVELS)),
  });
}

export type PlatformSettings = ReturnType<typeof platformSettings>;
