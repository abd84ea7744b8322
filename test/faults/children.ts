import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';

import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { TestPlatform, type Options } from '../harness.ts';

/** A process of the platform that a test may hurt. */
export interface Child {
  readonly process: ChildProcess;
  /** Where it listens, if it is an API. */
  readonly url: string;
  /** What it was ended by, once it has ended: an exit code or a signal. */
  readonly ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
}

const MASTER_KEYS = newMasterKey('faults');
const started = new Set<Child>();

/** A platform whose keys other processes can be given. */
export const openPlatform = (options: Options = {}): Promise<TestPlatform> =>
  TestPlatform.open({ ...options, env: { MASTER_KEYS, ...options.env } });

/**
 * Starts a program on the platform's database and Redis, and waits until it is ready:
 * `child(platform, 'test/faults/worker.ts', { CRASH_AT: 'W3' })`.
 */
export async function child(
  platform: TestPlatform,
  program: string,
  env: Record<string, string> = {},
): Promise<Child> {
  const { databaseUrl, redisUrl, agents, dnsServers } = platform.config;
  const spawned = spawn(process.execPath, ['--import', 'tsx', program], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      OPERATOR_TOKEN: agents.operatorToken,
      DNS_SERVERS: dnsServers.join(),
      MASTER_KEYS,
      REDIS_PREFIX: platform.prefix,
      LOG_LEVEL: process.env.FAULTS_LOG ?? 'silent',
      ...env,
    },
  });
  const ended = once(spawned, 'exit').then(([code, signal]) => (signal ?? code) as number);
  const ready = once(spawned, 'message') as Promise<[{ port?: number }]>;
  const made: Child = {
    process: spawned,
    url: '',
    ended,
    kill: (signal) => void spawned.kill(signal),
  };
  started.add(made);
  void ended.then(() => started.delete(made));
  // One that is killed before it can say so was ready too.
  const [told] = (await Promise.race([ready, ended.then(() => [{}])])) as [{ port?: number }];
  return { ...made, url: `http://127.0.0.1:${told.port}` };
}

/** For `afterEach`: nothing that a test started outlives it, whatever became of the test. */
export async function endChildren(): Promise<void> {
  const left = [...started];
  for (const one of left) {
    one.kill('SIGKILL');
    one.kill('SIGCONT');
  }
  await Promise.all(left.map(({ ended }) => ended));
}

/** Asks the platform's database as its superuser. */
export async function admin(platform: TestPlatform, sql: string, parameters: unknown[] = []) {
  const url = new URL(platform.postgres);
  url.pathname = `/${platform.name}`;
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    const { rows } = await client.query(sql, parameters);
    return rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}
