import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';

import { startWithWatchdog, type WatchedProcess } from '../../../local/processes/watchdog.ts';
import {
  startTestServers,
  testEnvironment,
  type TestServers,
} from '../../../local/test_run/lanes/test_servers.ts';
import type { Mutation } from '../mutation.ts';
import { copyCheckout, LOADER, writeCopy } from './checkout_copy.ts';
import { readTestRun, type TestRun } from './test_run.ts';

/** Files whose mutations migrate otherwise: databases are made anew for them, and after them. */
const MIGRATES = /^(migrations|shared\/platform)\//;
const TEMPLATE = 'template_of_this_lane';
const MAKE_TEMPLATE = `
  const { makeTemplate } = await import('./test/databases.ts');
  await makeTemplate(process.env.TEST_POSTGRES_URL);`;

const CLEAN_ATTEMPTS_MAX = 10;
const CLEAN_PAUSE_MS = 1_000;

/** A copy of the checkout with servers of its own, in which one run of tests happens at a time. */
export interface Lane {
  run(tests: readonly string[], options: RunOptions): Promise<TestRun>;
  /** Ends the run too, if there is one. */
  stop(): Promise<void>;
}

interface RunOptions {
  readonly grep?: string | undefined;
  /** Ends at the first failure. */
  readonly bail?: boolean;
  /** A change that is there while these tests run. */
  readonly mutation?: Mutation;
  readonly secondsMax: number;
}

export async function openLane(folder: string): Promise<Lane> {
  const checkout = join(folder, 'checkout');
  const temporary = join(folder, 'tmp');
  copyCheckout(checkout);
  mkdirSync(temporary, { mode: 0o711 });
  const servers = await startTestServers(folder);
  const env = { ...testEnvironment(temporary), ...servers.urls };
  let running: WatchedProcess | undefined;
  let hasTemplate = false;

  function start(args: readonly string[], output: number, template: string | undefined) {
    const options = { signal: 'TERM', output, cwd: checkout } as const;
    const all = { ...env, TEST_TEMPLATE: template };
    running = startWithWatchdog(process.execPath, ['--import', LOADER, ...args], {
      ...options,
      env: all,
    });
    return running;
  }

  return {
    async run(tests, { grep, bail = false, mutation, secondsMax }) {
      const migrates = mutation !== undefined && MIGRATES.test(mutation.file);
      const template = migrates ? undefined : TEMPLATE;
      if (template && !hasTemplate) {
        const args = ['--input-type=module', '--eval', MAKE_TEMPLATE];
        hasTemplate = (await start(args, 2, template).ended) === 0;
        if (!hasTemplate) throw new Error('the template of databases could not be made');
      }
      if (mutation) writeCopy(checkout, mutation.file, mutation);
      const args = ['node_modules/mocha/bin/mocha.js', '--exit'];
      args.push('--reporter', 'json-stream', ...tests);
      if (bail) args.push('--bail');
      if (grep !== undefined) args.push('--grep', grep);
      const log = join(folder, 'mocha.log');
      const output = openSync(log, 'w');
      const startedAt = Date.now();
      const mocha = start(args, output, template);
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        void mocha.stop();
      }, secondsMax * 1_000);
      await mocha.ended;
      clearTimeout(timer);
      closeSync(output);

      if (mutation) writeCopy(checkout, mutation.file);
      if (migrates) hasTemplate = false;
      await cleanSoon(servers, hasTemplate ? TEMPLATE : '');
      const seconds = (Date.now() - startedAt) / 1_000;
      return readTestRun(readFileSync(log, 'utf8'), { checkout, seconds, timedOut });
    },
    async stop() {
      await running?.stop();
      await Promise.all([servers.postgres.stop(), servers.redis.stop()]);
    },
  };
}

/** A signal that ends a run may reach the servers too: then they are asked again. */
async function cleanSoon(servers: TestServers, kept: string): Promise<void> {
  for (let attempt = 1; attempt < CLEAN_ATTEMPTS_MAX; attempt += 1) {
    try {
      return await clean(servers, kept);
    } catch {
      await sleep(CLEAN_PAUSE_MS);
    }
  }
  await clean(servers, kept);
}

/** A run leaves a template of its own, and all databases when it was ended. */
async function clean({ postgres, redis }: TestServers, kept: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  // The server may be stopped meanwhile.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database
      where not datistemplate and datname not in ('postgres', 'market', $1)`,
    [kept],
  );
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  await client.end();

  const queue = new Redis(redis.url);
  await queue.flushall();
  await queue.quit();
}
