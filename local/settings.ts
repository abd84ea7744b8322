import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';

import { environmentWith, newMasterKey, readConfig, type Environment } from '../shared/config.ts';
import { isKept, kept, newPassword } from './kept.ts';
import { freePort, isFree } from './ports.ts';

export interface Settings {
  /** The environment for the processes below, complete but for the servers started here. */
  readonly env: Environment;
  readonly dataDir: string;
  readonly workers: number;
  readonly url: string;
  /** Which servers nobody else provides. */
  readonly needs: { readonly postgres: boolean; readonly redis: boolean };
  /** The operator's token, if it was made just now. */
  readonly newOperatorToken: string | undefined;
}

/** Checks what was set, all of it, before anything is made; then makes what was not set. */
export async function prepareSettings(): Promise<Settings> {
  const set = environmentWith({});
  const needs = { postgres: !set.DATABASE_URL, redis: !set.REDIS_URL };
  const { dataDir, host, port, production, workers } = readConfig(withProvisions(set));

  const folder = resolve(dataDir);
  makeDataDir(folder);
  const isNew = !set.OPERATOR_TOKEN && !isKept(folder, 'operator_token');
  const secrets = production ? {} : keptSecrets(folder, set);

  // Chosen here when any will do, so that a restarted API comes back where its callers look.
  const realPort = port === 0 ? await freePort() : port;
  const env: Environment = {
    ...set,
    ...secrets,
    DATA_DIR: folder,
    PORT: String(realPort),
    LOG_LEVEL: set.LOG_LEVEL || 'warn',
  };
  return {
    env,
    dataDir: folder,
    workers,
    url: `http://${isAnyAddress(host) ? '127.0.0.1' : host}:${realPort}`,
    needs,
    newOperatorToken: isNew ? env.OPERATOR_TOKEN : undefined,
  };
}

/** Checked after the lock: while another `npm start` runs here, that is the better explanation. */
export async function assertPortIsFree({ env }: Settings): Promise<void> {
  const port = Number(env.PORT);
  if (await isFree(port, env.HOST || '127.0.0.1')) return;
  throw new Error(`Port ${port} is taken. Try another one: PORT=${port + 1} npm start`);
}

/** Stands in for what will be provided, so that only real faults are named. */
function withProvisions(set: Environment): Environment {
  const production = set.NODE_ENV === 'production';
  // With only the owner's URL set, the missing one is a fault to be named.
  const providesDatabase = !set.DATABASE_URL && !set.MIGRATION_DATABASE_URL;
  return {
    ...set,
    ...(providesDatabase ? { DATABASE_URL: 'postgres://127.0.0.1/market' } : {}),
    ...(set.REDIS_URL ? {} : { REDIS_URL: 'redis://127.0.0.1' }),
    ...(set.OPERATOR_TOKEN || production ? {} : { OPERATOR_TOKEN: newPassword() }),
    ...(set.MASTER_KEYS || production ? {} : { MASTER_KEYS: newMasterKey('local') }),
  };
}

function keptSecrets(folder: string, set: Environment): Environment {
  return {
    OPERATOR_TOKEN: set.OPERATOR_TOKEN || kept(folder, 'operator_token', newPassword),
    MASTER_KEYS: set.MASTER_KEYS || kept(folder, 'master_keys', () => newMasterKey('local')),
  };
}

/** As root it can be passed through, though not listed: PostgreSQL below runs as another user. */
function makeDataDir(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
}

const isAnyAddress = (host: string) => ['0.0.0.0', '::', 'localhost'].includes(host);
