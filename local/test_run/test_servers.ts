import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { environmentWith, type Environment } from '../../shared/platform/config/environment.ts';
import { checkoutFolder } from '../paths.ts';
import { startPostgres, type Postgres } from '../postgres/postgres.ts';
import type { Server } from '../processes/server.ts';
import { startRedis } from '../redis/redis.ts';
import { newPassword } from '../stored_values.ts';

export interface TestServers {
  readonly postgres: Postgres;
  readonly redis: Server;
  /** How tests find them. */
  readonly urls: Environment;
}

/** A PostgreSQL and a Redis for tests, which keep what they store in this folder. */
export async function startTestServers(folder: string): Promise<TestServers> {
  const passwords = {
    postgres: newPassword(),
    market_owner: newPassword(),
    market_app: newPassword(),
  };
  const [postgres, redis] = await Promise.all([
    startPostgres({ folder: join(folder, 'postgres'), passwords }),
    startRedis({ folder: join(folder, 'redis') }),
  ]);
  const urls = {
    TEST_POSTGRES_URL: postgres.url,
    TEST_OWNER_PASSWORD: passwords.market_owner,
    TEST_APP_PASSWORD: passwords.market_app,
    TEST_REDIS_URL: redis.url,
  };
  return { postgres, redis, urls };
}

/**
 * The environment of tests: without what a developer set for `npm start`, except the choice of a
 * Redis. They write their temporary files into this folder.
 */
export function testEnvironment(temporary: string): Environment {
  const example = readFileSync(join(checkoutFolder, '.env.example'), 'utf8');
  const settings = [...example.matchAll(/^#?\s?([A-Z_]+)=/gm)].map(([, name]) => [name, undefined]);
  const { EMBEDDED_REDIS } = environmentWith({});
  return environmentWith({
    ...Object.fromEntries(settings),
    EMBEDDED_REDIS,
    NODE_ENV: 'test',
    TMPDIR: temporary,
  });
}
