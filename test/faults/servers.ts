import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres, type Postgres } from '../../local/postgres.ts';
import { startRedis } from '../../local/redis.ts';
import type { Server } from '../../local/server.ts';

/** Servers of a test's own, because it breaks them. */
export interface Servers {
  readonly redis: Server;
  readonly postgres: Postgres;
  close(): Promise<void>;
}

export async function openServers(): Promise<Servers> {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  const [redis, postgres] = await Promise.all([
    startRedis({ folder: join(folder, 'redis') }),
    startPostgres({
      folder: join(folder, 'postgres'),
      passwords: {
        postgres: 'of-the-superuser',
        market_owner: process.env.TEST_OWNER_PASSWORD!,
        market_app: process.env.TEST_APP_PASSWORD!,
      },
    }),
  ]);
  return {
    redis,
    postgres,
    async close() {
      await Promise.all([redis.stop(), postgres.stop()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
