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
} from '../../../local/test_run/test_servers.ts';
import type { Mutation } from '../mutation.ts';
import { copyCheckout, LOADER, writeCopy } from './checkout_copy.ts';
import { readTestRun, type TestRun } from './test_run.ts';

const CLEAN_ATTEMPTS_MAX = 10;
const CLEAN_PAUSE_MS = 1_000;

/** A copy of the checkout with servers of its own, in which one run of tests happens at a time. */
export interface Lane {
  run(tests: readonly string[], options: RunOptions): Promise<TestRun>;
  /** Ends the run too, if there is one. */
  stop(): Promise<void>;
}

export interface RunOptions {
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
  let mocha: WatchedProcess | undefined;

  return {
    async run(tests, { grep, bail = false, mutation, secondsMax }) {
      if (mutation) writeCopy(checkout, mutation.file, mutation);
      const args = ['--import', LOADER, 'node_modules/mocha/bin/mocha.js', '--exit'];
      args.push('--reporter', 'json-stream', ...tests);
      if (bail) args.push('--bail');
      if (grep !== undefined) args.push('--grep', grep);
      const log = join(folder, 'mocha.log');
      const output = openSync(log, 'w');
      const startedAt = Date.now();
      const options = { signal: 'TERM', output, cwd: checkout, env } as const;
      mocha = startWithWatchdog(process.execPath, args, options);
      let timedOut = false;
      const timer = setTimeout(() => {
        timedOut = true;
        void mocha?.stop();
      }, secondsMax * 1_000);
      await mocha.ended;
      clearTimeout(timer);
      closeSync(output);

      if (mutation) writeCopy(checkout, mutation.file);
      await cleanSoon(servers);
      const seconds = (Date.now() - startedAt) / 1_000;
      return readTestRun(readFileSync(log, 'utf8'), { checkout, seconds, timedOut });
    },
    async stop() {
      await mocha?.stop();
      await Promise.all([servers.postgres.stop(), servers.redis.stop()]);
    },
  };
}

/** What a run was ended with may reach the servers too: then they are asked again. */
async function cleanSoon(servers: TestServers): Promise<void> {
  for (let attempt = 1; attempt < CLEAN_ATTEMPTS_MAX; attempt += 1) {
    try {
      return await clean(servers);
    } catch {
      await sleep(CLEAN_PAUSE_MS);
    }
  }
  await clean(servers);
}

/** A run leaves its template of databases, and all databases when it was ended. */
async function clean({ postgres, redis }: TestServers): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.url });
  // The server may be stopped meanwhile.
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database
      where not datistemplate and datname not in ('postgres', 'market')`,
  );
  for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  await client.end();

  const queue = new Redis(redis.url);
  await queue.flushall();
  await queue.quit();
}
