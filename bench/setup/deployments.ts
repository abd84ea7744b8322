import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { DataSource } from 'typeorm';

import { newPassword } from '../../local/stored_values.ts';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { startRedis } from '../../local/redis/redis.ts';
import { onStopSignal } from '../../local/processes/signals.ts';
import { temporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { migrate } from '../../migrations/migrate.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { readConfig, type Config } from '../../shared/composition/config.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { execute } from '../../shared/platform/rows.ts';
import { startChild, type Child } from './child_processes.ts';

/** Servers of the bench's own, durable as in production, and the deployments on them. */
export interface Deployments {
  readonly pids: { readonly postgres: number; readonly redis: number };
  readonly postgresLog: string;
  /** A database with the schema and an empty Redis. Each deployment has its own. */
  open(name: string): Promise<Deployment>;
  /** One connection as the superuser. The caller closes it. */
  admin(database: string): Promise<DataSource>;
  /** One of our programs, with a log at `info` in a file. Stopped before the servers. */
  start(file: string, deployment: Deployment, flags?: readonly string[]): Promise<Child>;
}

export interface Deployment {
  readonly name: string;
  readonly config: Config;
  /** For the processes of the application. */
  readonly env: Readonly<Record<string, string>>;
}

/** Runs `work`, and removes everything afterwards, however it ends. */
export async function withDeployments(
  work: (deployments: Deployments) => Promise<void>,
): Promise<void> {
  if (!existsSync('/proc/self/stat')) throw new Error('The bench reads CPU times from /proc.');
  const folder = temporaryFolder();
  const passwords = {
    postgres: newPassword(),
    market_owner: newPassword(),
    market_app: newPassword(),
  };
  const [postgres, redis] = await Promise.all([
    startPostgres({ folder: join(folder.path, 'postgres'), passwords, durable: true }),
    startRedis({ folder: join(folder.path, 'redis'), durable: true }),
  ]);
  const withPath = (url: string, path: string) =>
    Object.assign(new URL(url), { pathname: path }).href;
  const admin = (database: string) =>
    databaseOf(withPath(postgres.url, `/${database}`), 1).initialize();
  let opened = 0;
  const open = async (name: string): Promise<Deployment> => {
    const database = await admin('market');
    await execute(database, `create database ${name} owner market_owner`);
    await database.destroy();
    const env = {
      NODE_ENV: 'production',
      REGISTRATIONS_PER_ADDRESS: 'off',
      REGISTRATIONS_PER_EMAIL_DOMAIN: 'off',
      WELCOME_CREDIT_PER_DAY: 'off',
      PORT: '0',
      DATABASE_URL: withPath(postgres.urlOf('market_app'), `/${name}`),
      MIGRATION_DATABASE_URL: withPath(postgres.urlOf('market_owner'), `/${name}`),
      REDIS_URL: withPath(redis.url, `/${opened++}`),
      OPERATOR_TOKEN: newPassword(),
      MASTER_KEYS: newMasterKey('bench'),
      LOG_LEVEL: 'info',
    };
    const owner = databaseOf(env.MIGRATION_DATABASE_URL, 1);
    const application = databaseOf(env.DATABASE_URL, 1);
    await Promise.all([owner.initialize(), application.initialize()]);
    await migrate(owner, application);
    await Promise.all([owner.destroy(), application.destroy()]);
    return { name, env, config: readConfig(env) };
  };

  const children: Child[] = [];
  const start: Deployments['start'] = async (file, { name, env }, flags = []) => {
    const logFile = join(folder.path, `${name}-${basename(file)}.log`);
    const child = await startChild(file, { env, logFile, flags });
    children.push(child);
    return child;
  };

  const end = async () => {
    await Promise.all(children.map((child) => child.stop()));
    await Promise.all([postgres.stop(), redis.stop()]);
    await folder.remove();
  };
  onStopSignal(
    () => void end().then(() => process.exit(1)),
    () => process.exit(1),
  );
  const pids = { postgres: postgres.pid(), redis: redis.pid() };
  try {
    await work({ pids, postgresLog: join(postgres.folder, 'postgres.log'), open, admin, start });
  } finally {
    await end();
  }
}
