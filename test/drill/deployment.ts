import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../local/ports.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { supervise, type SupervisedProcess } from './supervised_process.ts';
import { newDatabase, type Servers } from './servers.ts';

const START_MS_MAX = 120_000;

export const OPERATOR_TOKEN = 'operator-token-of-the-drill';

/** A complete marketplace in processes of its own, every one of which a drill may break. */
export interface Deployment {
  readonly servers: Servers;
  readonly databaseUrl: string;
  readonly apis: readonly SupervisedProcess[];
  readonly workers: readonly SupervisedProcess[];
  /** The base URLs of the APIs. */
  readonly urls: readonly string[];
  /** A folder: one file for each start of a process. */
  readonly logs: string;
  /** Resolves when every process is up and accepts work. */
  untilReady(): Promise<void>;
  stop(): Promise<void>;
}

export interface DeploymentOptions {
  readonly name: string;
  readonly apis?: number;
  readonly workers?: number;
  /** The program of a worker: the real one, or a wrong one that the drill must detect. */
  readonly worker?: string;
}

export async function openDeployment(
  servers: Servers,
  options: DeploymentOptions,
): Promise<Deployment> {
  const { name, apis = 2, workers = 3, worker = 'workers/main.ts' } = options;
  const databaseUrl = await newDatabase(servers, name);
  const ports = await Promise.all(Array.from({ length: apis }, freePort));
  const logs = join(servers.folder, `${name}-logs`);
  mkdirSync(logs);
  const env = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    REDIS_URL: servers.redis.url,
    OPERATOR_TOKEN,
    MASTER_KEYS: newMasterKey('drill'),
    LOG_LEVEL: 'info',
    DATABASE_CONNECTIONS: '12',
  };
  const processes = {
    apis: ports.map((port, n) =>
      supervise(`API ${n}`, {
        program: 'api/main.ts',
        env: { ...env, PORT: String(port) },
        log: join(logs, `api-${n}`),
      }),
    ),
    workers: Array.from({ length: workers }, (_, n) =>
      supervise(`worker ${n}`, { program: worker, env, log: join(logs, `worker-${n}`) }),
    ),
  };
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const all = [...processes.apis, ...processes.workers];
  const deployment = {
    servers,
    databaseUrl,
    ...processes,
    urls,
    logs,
    untilReady: () => allReady(all, logs),
    stop: () => stopAll(all),
  };
  await deployment.untilReady().catch(async (error: unknown) => {
    await deployment.stop();
    throw error;
  });
  return deployment;
}

async function allReady(processes: readonly SupervisedProcess[], logs: string): Promise<void> {
  const deadline = Date.now() + START_MS_MAX;
  while (!processes.every((one) => one.isReady())) {
    if (Date.now() > deadline) throw new Error(`Not every process started:\n${tailsOf(logs)}`);
    await sleep(50);
  }
}

async function stopAll(processes: readonly SupervisedProcess[]): Promise<void> {
  await Promise.all(processes.map((one) => one.stop()));
}

/** The end of the log of each start of a process. */
const tailsOf = (logs: string): string =>
  readdirSync(logs)
    .map((file) => `${file}: ${readFileSync(join(logs, file), 'utf8').slice(-500)}`)
    .join('\n');
