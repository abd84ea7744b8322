import { join } from 'node:path';
import pg from 'pg';

import { startPostgres, type Postgres } from '../../local/postgres/postgres.ts';
import { startRedis } from '../../local/redis/redis.ts';
import type { Server } from '../../local/processes/server.ts';
import { temporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { migrate } from '../../migrations/migrate.ts';
import { databaseOf } from '../../shared/platform/database.ts';

/** A PostgreSQL and a Redis that a drill may break, and a folder that `stop` removes with them. */
export interface Servers {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly redis: Server;
  stop(): Promise<void>;
}

/** Redis stores nothing on disk, so that killing it loses all its data. */
export async function startServers({ durable }: { durable: boolean }): Promise<Servers> {
  const folder = temporaryFolder();
  const [postgres, redis] = await Promise.all([
    startPostgres({ folder: join(folder.path, 'postgres'), durable }),
    startRedis({ folder: join(folder.path, 'redis') }),
  ]);
  const owner = await databaseOf(postgres.urlOf('market_owner'), 1).initialize();
  const application = await databaseOf(postgres.urlOf('market_app'), 1).initialize();
  await migrate(owner, application);
  await Promise.all([owner.destroy(), application.destroy()]);
  return {
    folder: folder.path,
    postgres,
    redis,
    async stop() {
      await Promise.all([postgres.stop(), redis.stop()]);
      await folder.remove();
    },
  };
}

/** A migrated database of its own. Answers its URL for the application's role. */
export async function newDatabase({ postgres }: Servers, name: string): Promise<string> {
  const admin = new URL(postgres.url);
  admin.pathname = '/postgres';
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  await client.query(`create database ${name} template market owner market_owner`);
  await client.end();
  const url = new URL(postgres.urlOf('market_app'));
  url.pathname = `/${name}`;
  return url.href;
}
