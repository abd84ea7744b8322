import { join } from 'node:path';
import pg from 'pg';
import type { DataSource } from 'typeorm';

import { startPostgres, type Postgres } from '../../local/postgres/postgres.ts';
import { startRedis } from '../../local/redis/redis.ts';
import type { Server } from '../../local/processes/server.ts';
import { temporaryFolder } from '../../local/test_run/temporary_folder.ts';
import { migrateAt } from '../../migrations/owner.ts';

/** A PostgreSQL and a Redis that a drill may break, and a folder that `stop` removes with them. */
export interface Servers {
  readonly folder: string;
  readonly postgres: Postgres;
  readonly redis: Server;
  stop(): Promise<void>;
}

/** Redis stores nothing on disk, so that killing it loses all its data. */
export async function startServers({ durable }: { durable: boolean }): Promise<Servers> {
  const folder = temporaryFolder({ inMemory: !durable });
  const [postgres, redis] = await Promise.all([
    startPostgres({ folder: join(folder.path, 'postgres'), durable }),
    startRedis({ folder: join(folder.path, 'redis') }),
  ]);
  await migrateAt({
    owner: postgres.urlOf('market_owner'),
    application: postgres.urlOf('market_app'),
  });
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

/** A migrated database of its own, after `sabotage`: its URLs for the application and superuser. */
export async function newDatabase(
  { postgres }: Servers,
  name: string,
  sabotage = '',
): Promise<{ databaseUrl: string; adminUrl: string }> {
  const urlOf = (role: string, database: string) => {
    const url = new URL(role);
    url.pathname = `/${database}`;
    return url.href;
  };
  const run = async (url: string, sql: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  await run(
    urlOf(postgres.url, 'postgres'),
    `create database ${name} template market owner market_owner`,
  );
  if (sabotage) await run(urlOf(postgres.urlOf('market_owner'), name), sabotage);
  return {
    databaseUrl: urlOf(postgres.urlOf('market_app'), name),
    adminUrl: urlOf(postgres.url, name),
  };
}

/** An error of a connection that nobody holds yet would end this process. */
export function outliveServer(database: DataSource): void {
  const { master } = database.driver as unknown as { master: pg.Pool };
  master.on('connect', (client) => void client.on('error', () => undefined));
}
