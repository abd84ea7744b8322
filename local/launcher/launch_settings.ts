import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';

import {
  environmentWith,
  readEnvironment,
  type Environment,
} from '../../shared/platform/config/environment.ts';
import { underPresentNames } from '../../shared/platform/config/former_names.ts';
import { isLoopback } from '../../shared/platform/egress/addresses.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { configOf } from '../../shared/composition/config.ts';
import { storedValue, newPassword } from '../stored_values.ts';
import { freePort, isFree } from '../ports.ts';
import { checkoutFolder } from '../paths.ts';
import { localSettings } from '../settings.ts';

/** The settings of `npm start` and what follows from them. */
export interface LaunchSettings {
  /** The environment of the processes, without the servers and secrets that are made here. */
  readonly env: Environment;
  readonly production: boolean;
  /** Whether demo goods, proxies and boards are made. Never in production. */
  readonly demo: boolean;
  readonly dataDir: string;
  readonly workers: number;
  /** Where this machine reaches the API. */
  readonly url: string;
  /** URL of the API for callers. */
  readonly publicUrl: string;
  /** Which servers are to be started, because their URL is not set. */
  readonly needs: { readonly postgres: boolean; readonly redis: boolean };
}

/** Checks all that was set before anything is made, and names every fault at once. */
export async function readLaunchSettings(): Promise<LaunchSettings> {
  const given = environmentWith({});
  const { config, local } = readEnvironment(
    (reader) => ({ config: configOf(reader), local: localSettings(reader) }),
    withProvisions(given),
    existsSync('.env') ? Object.keys(parseEnv(readFileSync('.env', 'utf8'))) : [],
  );
  const found = config.selfChecks.find(({ name }) => name === 'setting_names')!;
  const sentences = found.status === 'ok' ? [] : found.message.split('\n');
  for (const sentence of sentences) console.log(sentence);
  // Each process would say it again of what nothing reads. A sentence begins with the name.
  const named = sentences.map((sentence) => sentence.split(' ')[0]!);
  const set = Object.fromEntries(
    Object.entries(underPresentNames(given).env).filter(([name]) => !named.includes(name)),
  );
  const dataDir = resolve(local.dataDir);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  // PostgreSQL then runs as another user, which must pass through. Listing it stays forbidden.
  if (process.getuid?.() === 0 && statSync(dataDir).uid === 0) chmodSync(dataDir, 0o711);

  // PORT=0 is decided here, so that a restarted API has the port that its callers know.
  const port = config.api.port === 0 ? await freePort() : config.api.port;
  const host = ANY_ADDRESS.includes(config.api.host) ? '127.0.0.1' : config.api.host;
  return {
    env: {
      ...set,
      DATA_DIR: dataDir,
      PORT: String(port),
      LOG_LEVEL: set.LOG_LEVEL || 'warn',
      RELEASE: set.RELEASE || commitOf(checkoutFolder),
      DRAIN_MS: set.DRAIN_MS || '0', // No other process takes over: all end together.
    },
    production: config.production,
    demo: local.demo && !config.production,
    dataDir,
    workers: local.workers,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    publicUrl: config.api.publicUrl.replace(/:0$/, `:${port}`),
    needs: { postgres: !set.DATABASE_URL, redis: !set.REDIS_URL },
  };
}

/** The commit that is checked out; undefined: git does not say. */
function commitOf(folder: string): string | undefined {
  const asked = ['rev-parse', '--short=12', 'HEAD'];
  const { status, stdout } = spawnSync('git', asked, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

const ANY_ADDRESS = ['0.0.0.0', '::', 'localhost'];

/** With substitutes for what will be provided, so that only real faults are named. */
function withProvisions(set: Environment): Environment {
  const production = set.NODE_ENV === 'production';
  // With only the owner's URL set, the missing one is a fault to be named.
  const providesDatabase = !set.DATABASE_URL && !set.MIGRATION_DATABASE_URL;
  return {
    ...set,
    ...(providesDatabase ? { DATABASE_URL: 'postgres://127.0.0.1/market' } : {}),
    ...(set.REDIS_URL ? {} : { REDIS_URL: 'redis://127.0.0.1' }),
    ...(hasOperator(set) || production ? {} : { OPERATOR_TOKEN: newPassword() }),
    ...(hasMasterKeys(set) || production ? {} : { MASTER_KEYS: newMasterKey('local') }),
  };
}

export async function assertPortIsFree({ env }: LaunchSettings): Promise<void> {
  const port = Number(env.PORT);
  const host = env.HOST || 'localhost';
  const addresses = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  const free = await Promise.all(addresses.map((address) => isFree(port, address)));
  if (free.every(Boolean)) return;
  throw new Error(`Port ${port} is taken. Try another one: PORT=${port + 1} npm start`);
}

/** The secrets that were not set, made once and stored. In production they must be set. */
export function provideSecrets(settings: LaunchSettings): Environment {
  const { env, dataDir, production, publicUrl } = settings;
  if (production) return {};
  const masterKeys = hasMasterKeys(env)
    ? {}
    : { MASTER_KEYS: storedValue(dataDir, 'master_keys', () => newMasterKey('local')) };
  if (hasOperator(env)) return masterKeys;

  return {
    ...masterKeys,
    OPERATOR_TOKEN: storedValue(dataDir, 'operator_token', newPassword),
    // Signs the operator in once, so that nobody copies the token from a file.
    ...(isLoopback(new URL(publicUrl).hostname) && {
      START_LINK: `${Date.now()}.${newPassword()}`,
    }),
  };
}

/** Whether one is set, directly or by a file. */
const hasAny = (env: Environment, ...names: string[]) =>
  names.some((name) => env[name] || env[`${name}_FILE`]);
const hasMasterKeys = (env: Environment) => hasAny(env, 'MASTER_KEYS');
const hasOperator = (env: Environment) => hasAny(env, 'OPERATOR_TOKEN', 'OPERATOR_TOKENS');
