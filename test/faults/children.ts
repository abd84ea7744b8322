import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';

import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { TestPlatform, type Options } from '../harness.ts';
import { NO_RATE_LIMITS } from '../no_rate_limits.ts';
import { patience } from '../platform/pace.ts';
import { patientLimits } from '../platform/patient_limits.ts';
import { programArguments } from '../programs.ts';

/**
 * A process of the platform that a test may break. A worker starts scheduled operations only where
 * its environment has SCHEDULES.
 */
export interface Child {
  readonly process: ChildProcess;
  /** Base URL, if it is an API. */
  readonly url: string;
  /** Resolves when the process has ended: its exit code or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
  kill(signal: NodeJS.Signals): void;
}

const MASTER_KEYS = newMasterKey('faults');
const started = new Set<Child>();

/** A platform whose master keys child processes get too. */
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
  const spawned = spawn(process.execPath, programArguments(program), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      REDIS_URL: redisUrl,
      OPERATOR_TOKEN: agents.operators[0]!.token,
      DNS_SERVERS: dnsServers.join(),
      MASTER_KEYS,
      REDIS_PREFIX: platform.prefix,
      LOG_LEVEL: process.env.FAULTS_LOG ?? 'silent',
      TEST_SLOWNESS: String(patience(1_000) / 1_000),
      ...patientLimits(),
      ...NO_RATE_LIMITS,
      ...env,
    },
  });
  const ended = once(spawned, 'exit').then(([code, signal]) => (signal ?? code) as number);
  const ready = once(spawned, 'message') as Promise<[{ port?: number }]>;
  const spawnedChild: Child = {
    process: spawned,
    url: '',
    ended,
    kill: (signal) => void spawned.kill(signal),
  };
  started.add(spawnedChild);
  void ended.then(() => started.delete(spawnedChild));
  // A child that is killed before its message arrives was ready too.
  const killed = ended.then((how) => {
    if (typeof how === 'number') throw new Error(`${program} ended with ${how} and was not ready`);
    return [{}];
  });
  const [message] = (await Promise.race([ready, killed])) as [{ port?: number }];
  return { ...spawnedChild, url: `http://127.0.0.1:${message.port}` };
}

/** For `afterEach`: no process of a test outlives the test, whether it passed or failed. */
export async function endChildren(): Promise<void> {
  const running = [...started];
  for (const one of running) {
    one.kill('SIGKILL');
    one.kill('SIGCONT');
  }
  await Promise.all(running.map(({ ended }) => ended));
}

/** Runs a statement in the platform's database as the superuser. */
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
