import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';

import type { DataSource } from 'typeorm';

import { newPassword } from '../../local/stored_values.ts';
import { startPostgres } from '../../local/postgres/postgres.ts';
import { startRedis } from '../../local/redis/redis.ts';
import { onStopSignal } from '../../local/processes/signals.ts';
import { temporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { readConfig, type Config } from '../../shared/composition/config.ts';
import { databaseOf } from '../../shared/platform/database.ts';
import { openSecrets } from '../../shared/platform/secrets.ts';
import { assertMasterKeys } from '../../shared/platform/self_checks/key_canaries.ts';
import { startChild, type Child } from './child_processes.ts';
import { migrateAt } from '../../migrations/owner.ts';

/** The deployments that the bench measures, each on servers of its own. */
export interface Deployments {
  /** Opens a deployment with the schema, as durable as in production. */
  open(name: string): Promise<Deployment>;
}

export interface Deployment {
  readonly config: Config;
  /** Environment of the application's processes. */
  readonly env: Env;
  /** The deployment's own servers, so their CPU is that of this deployment. */
  readonly pids: { readonly postgres: number; readonly redis: number };
  readonly postgresLog: string;
  /** Opens one connection as the superuser, which the caller closes. */
  readonly admin: () => Promise<DataSource>;
  /** Starts one of our programs, with a log at `info` in a file. Stopped before the servers. */
  start(file: string, options?: StartOptions): Promise<Child>;
}

type Env = Readonly<Record<string, string>>;

interface StartOptions {
  /** Environment in addition to that of the deployment. */
  readonly env?: Env;
  /** Flags of Node. */
  readonly flags?: readonly string[];
  readonly args?: readonly string[];
}

/** Runs `work`, and removes everything afterwards, however it ends. */
export async function withDeployments(
  work: (deployments: Deployments) => Promise<void>,
): Promise<void> {
  if (!existsSync('/proc/self/stat')) throw new Error('The bench reads CPU times from /proc.');
  const folder = temporaryFolder();
  const children: Child[] = [];
  const servers: { stop(): Promise<void> }[] = [];

  async function startServers(name: string) {
    const passwords = {
      postgres: newPassword(),
      market_owner: newPassword(),
      market_app: newPassword(),
    };
    const postgres = await startPostgres({
      folder: join(folder.path, `${name}-postgres`),
      passwords,
      durable: true,
    });
    servers.push(postgres);
    const redis = await startRedis({ folder: join(folder.path, `${name}-redis`), durable: true });
    servers.push(redis);
    return { postgres, redis };
  }

  const open = async (name: string): Promise<Deployment> => {
    const { postgres, redis } = await startServers(name);
    const env = {
      NODE_ENV: 'production',
      REGISTRATIONS_PER_ADDRESS: 'off',
      REGISTRATIONS_PER_EMAIL_DOMAIN: 'off',
      WELCOME_CREDIT_PER_DAY: 'off',
      // The limit is counted as always, and never reached.
      RATE_LIMIT_FREE: '1000000000',
      RATE_LIMIT_PRO: '1000000000',
      RATE_LIMIT_PUBLIC: '1000000000',
      PORT: '0',
      PUBLIC_URL: 'https://market.example.com',
      DATABASE_URL: postgres.urlOf('market_app'),
      MIGRATION_DATABASE_URL: postgres.urlOf('market_owner'),
      REDIS_URL: redis.url,
      OPERATOR_TOKEN: newPassword(),
      MASTER_KEYS: newMasterKey('bench'),
      LOG_LEVEL: 'info',
    };
    await migrateAt({ owner: env.MIGRATION_DATABASE_URL, application: env.DATABASE_URL });
    const config = readConfig(env);
    await noteMasterKey(config);
    return {
      env,
      config,
      pids: { postgres: postgres.pid(), redis: redis.pid() },
      postgresLog: join(postgres.folder, 'postgres.log'),
      admin: () => databaseOf(postgres.url, 1).initialize(),
      async start(file, options = {}) {
        const logFile = join(folder.path, `${name}-${basename(file)}.log`);
        const child = await startChild(file, {
          ...options,
          env: { ...env, ...options.env },
          logFile,
        });
        children.push(child);
        return child;
      },
    };
  };

  const end = async () => {
    await Promise.all(children.map((child) => child.stop()));
    await Promise.all(servers.map((server) => server.stop()));
    await folder.remove();
  };
  onStopSignal(
    () => void end().then(() => process.exit(1)),
    () => process.exit(1),
  );
  try {
    await work({ open });
  } finally {
    await end();
  }
}

/** Notes the key of an empty database: the units of a population are not sealed under it. */
async function noteMasterKey({ databaseUrl, masterKeys }: Config): Promise<void> {
  const database = await databaseOf(databaseUrl, 1).initialize();
  await assertMasterKeys(database, openSecrets(masterKeys), async () => []);
  await database.destroy();
}
