import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { environmentWith, type Environment } from '../../../shared/platform/config/environment.ts';
import { databaseOf } from '../../../shared/platform/database.ts';
import { checkoutFolder } from '../../paths.ts';
import type { Passwords } from '../../postgres/cluster.ts';
import { startPostgres, type Postgres } from '../../postgres/postgres.ts';
import { run } from '../../processes/command.ts';
import type { Server } from '../../processes/server.ts';
import { startRedis } from '../../redis/redis.ts';
import { newPassword } from '../../stored_values.ts';
import { migrateAt } from '../../../migrations/owner.ts';

export interface TestServers {
  readonly postgres: Postgres;
  readonly redis: Server;
  /** How tests find them. */
  readonly urls: Environment;
}

/** A stopped PostgreSQL whose data each lane starts with a copy of. */
interface ServerTemplate {
  /** The folder of `startPostgres`. */
  readonly folder: string;
  readonly passwords: Passwords;
}

/** The database of all migrations, of which each platform of a test is a copy. */
const TEMPLATE = 'template_of_tests';

/** Makes a cluster and migrates a database of it, once for all lanes: four CPU seconds. */
export async function makeServerTemplate(parent: string): Promise<ServerTemplate> {
  const folder = join(parent, 'template');
  const passwords = newPasswords();
  const postgres = await startPostgres({ folder, passwords });
  try {
    await migratedDatabase(postgres, TEMPLATE);
  } finally {
    await postgres.stop();
  }
  return { folder, passwords };
}

/** A PostgreSQL and a Redis for tests, which keep what they store in this folder. */
export async function startTestServers(
  folder: string,
  template?: ServerTemplate,
): Promise<TestServers> {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o711); // The user that runs PostgreSQL must pass through it.
  const passwords = template?.passwords ?? newPasswords();
  const data = join(folder, 'postgres');
  if (template) await copyFolder(template.folder, data);
  const [postgres, redis] = await Promise.all([
    startPostgres({ folder: data, passwords }),
    startRedis({ folder: join(folder, 'redis') }),
  ]);
  const urls = {
    TEST_POSTGRES_URL: postgres.url,
    TEST_OWNER_PASSWORD: passwords.market_owner,
    TEST_APP_PASSWORD: passwords.market_app,
    TEST_REDIS_URL: redis.url,
    TEST_SERVER_PIDS: `${postgres.pid()},${redis.pid()}`,
    ...(template && { TEST_TEMPLATE: TEMPLATE }),
  };
  return { postgres, redis, urls };
}

const newPasswords = (): Passwords => ({
  postgres: newPassword(),
  market_owner: newPassword(),
  market_app: newPassword(),
});

async function migratedDatabase(postgres: Postgres, name: string): Promise<void> {
  const admin = await databaseOf(postgres.url, 1).initialize();
  await admin.query(`create database ${name} owner market_owner`);
  await admin.destroy();
  const urlOf = (role: 'market_owner' | 'market_app') => {
    const url = new URL(postgres.urlOf(role));
    url.pathname = `/${name}`;
    return url.href;
  };
  await migrateAt({ owner: urlOf('market_owner'), application: urlOf('market_app') });
}

/** With owners and rights, which Node's own copy leaves out. */
async function copyFolder(from: string, to: string): Promise<void> {
  const copied = await run('cp', ['-a', from, to]);
  if (!copied.ok) throw new Error(`PostgreSQL's data could not be copied:\n${copied.all}`);
}

/**
 * For all connections of tests: a statement is planned once on each, and not five times and once
 * more. Of the CPU time of a test a tenth is planning.
 */
const PLANNED_ONCE = { PGOPTIONS: '-c plan_cache_mode=force_generic_plan' };

/** For test:all and test:goals: statements are planned as in production. */
export const PLANNED_AS_USUAL = { PGOPTIONS: undefined };

/**
 * The environment of tests: without what a developer set for `npm start`, except the choice of a
 * Redis. They write their temporary files into this folder.
 */
export function testEnvironment(temporary: string): Environment {
  const example = readFileSync(join(checkoutFolder, '.env.example'), 'utf8');
  const settings = [...example.matchAll(/^#?\s?([A-Z_]+)=/gm)].map(([, name]) => [name, undefined]);
  const { EMBEDDED_REDIS, FORCE_COLOR } = environmentWith({});
  // Under CI, mocha's reporter would write escape sequences into a pipe too.
  const isStyled = process.stdout.isTTY || FORCE_COLOR !== undefined;
  return environmentWith({
    ...Object.fromEntries(settings),
    EMBEDDED_REDIS,
    NODE_ENV: 'test',
    TMPDIR: temporary,
    ...PLANNED_ONCE,
    ...(!isStyled && { NO_COLOR: '1' }),
  });
}
