import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { isKept, keep, kept, newPassword } from '../stored_values.ts';
import { samePort } from '../ports.ts';
import { startPostgres, type Postgres } from '../postgres/postgres.ts';
import { startRedis } from '../redis/redis.ts';
import type { Server } from '../processes/server.ts';
import type { LaunchSettings } from './launch_settings.ts';

/** The servers that `npm start` provides, and their URLs for the processes below. */
export interface Servers {
  readonly started: readonly Server[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Starts the servers whose URL is not set, side by side. */
export async function startServers({ needs, dataDir, env }: LaunchSettings): Promise<Servers> {
  const starts = await Promise.allSettled([
    needs.postgres ? durablePostgres(dataDir) : undefined,
    needs.redis ? durableRedis(dataDir) : undefined,
  ]);
  const [postgres, redis] = starts.map((start) =>
    start.status === 'fulfilled' ? start.value : undefined,
  ) as [Postgres | undefined, Server | undefined];
  const started = [postgres, redis].filter((server) => server !== undefined);

  const failed = starts.find((start) => start.status === 'rejected');
  if (failed) {
    await Promise.all(started.map((server) => server.stop()));
    throw failed.reason;
  }
  return {
    started,
    env: {
      DATABASE_URL: postgres?.urlOf('market_app') ?? env.DATABASE_URL,
      MIGRATION_DATABASE_URL: postgres?.urlOf('market_owner') ?? env.MIGRATION_DATABASE_URL,
      REDIS_URL: redis?.url ?? env.REDIS_URL,
    },
  };
}

async function durablePostgres(dataDir: string): Promise<Postgres> {
  const newPasswords = !ROLES.every((role) => isKept(dataDir, `${role}_password`));
  const [postgres, market_owner, market_app] = ROLES.map((role) =>
    kept(dataDir, `${role}_password`, newPassword),
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
    password: kept(dataDir, 'redis_password', newPassword),
    durable: true,
  });
}

/**
 * Where the servers are, for other programs in this checkout such as `npm run audit`. Answers how
 * to take the note away.
 */
export function noteServers(
  { dataDir, url, env }: LaunchSettings,
  urls: Servers['env'],
): () => void {
  const note = {
    databaseUrl: urls.DATABASE_URL,
    migrationDatabaseUrl: urls.MIGRATION_DATABASE_URL,
    redisUrl: urls.REDIS_URL,
    publicUrl: env.PUBLIC_URL || url,
  };
  keep(dataDir, 'servers.json', JSON.stringify(note, undefined, 2));
  return () => rmSync(join(dataDir, 'servers.json'), { force: true });
}
