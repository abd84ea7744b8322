import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { newPassword } from '../../local/stored_values.ts';
import { startPostgres, type Postgres } from '../../local/postgres/postgres.ts';
import { startRedis } from '../../local/redis/redis.ts';
import type { Server } from '../../local/processes/server.ts';

// Servers that belong to one test, because it breaks them.

export interface OwnRedis extends Server {
  /** Stops it and removes its folder. */
  close(): Promise<void>;
}

export async function openRedis(): Promise<OwnRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const redis = await startRedis({ folder });
  return {
    ...redis,
    async close() {
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Servers {
  readonly redis: Server;
  readonly postgres: Postgres;
  close(): Promise<void>;
}

export async function openServers(): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const passwords = {
    postgres: newPassword(),
    market_owner: process.env.TEST_OWNER_PASSWORD!,
    market_app: process.env.TEST_APP_PASSWORD!,
  };
  const [redis, postgres] = await Promise.all([openRedis(), startPostgres({ folder, passwords })]);
  return {
    redis,
    postgres,
    async close() {
      await Promise.all([redis.close(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
