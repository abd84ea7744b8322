import { join } from 'node:path';

import { isStored, newPassword, storedValue } from '../stored_values.ts';
import { samePort } from '../ports.ts';
import { startPostgres, type Postgres } from '../postgres/postgres.ts';
import { startRedis } from '../redis/redis.ts';
import type { Server } from '../processes/server.ts';
import type { LaunchSettings } from './launch_settings.ts';

/** The servers that `npm start` provides, and their URLs for the processes of the application. */
interface StartedServers {
  readonly servers: readonly Server[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts the servers whose URL is not set, side by side. */
export async function startServers({
  needs,
  dataDir,
  env,
}: LaunchSettings): Promise<StartedServers> {
  const starts = await Promise.allSettled([
    needs.postgres ? durablePostgres(dataDir) : undefined,
    needs.redis ? durableRedis(dataDir) : undefined,
  ]);
  const [postgres, redis] = starts.map((start) =>
    start.status === 'fulfilled' ? start.value : undefined,
  ) as [Postgres | undefined, Server | undefined];
  const servers = [postgres, redis].filter((server) => server !== undefined);

  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await Promise.all(servers.map((server) => server.stop()));
    throw failed.reason;
  }
  return {
    servers,
    env: {
      DATABASE_URL: postgres?.urlOf('market_app') ?? env.DATABASE_URL,
      MIGRATION_DATABASE_URL: postgres?.urlOf('market_owner') ?? env.MIGRATION_DATABASE_URL,
      REDIS_URL: redis?.url ?? env.REDIS_URL,
    },
  };
}

async function durablePostgres(dataDir: string): Promise<Postgres> {
  const newPasswords = !ROLES.every((role) => isStored(dataDir, `${role}_password`));
  const [postgres, market_owner, market_app] = ROLES.map((role) =>
    storedValue(dataDir, `${role}_password`, newPassword),
  ) as [string, string, string];
  return startPostgres({
    folder: join(dataDir, 'postgres'),
    port: await samePort(dataDir, 'postgres_port'),
    passwords: { postgres, market_owner, market_app },
    newPasswords,
    durable: true,
  });
}

const ROLES = ['postgres', 'market_owner', 'market_app'] as const;

async function durableRedis(dataDir: string): Promise<Server> {
  return startRedis({
    folder: join(dataDir, 'redis'),
    port: await samePort(dataDir, 'redis_port'),
    password: storedValue(dataDir, 'redis_password', newPassword),
    durable: true,
  });
}
