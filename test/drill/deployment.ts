import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../local/ports.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { NO_RATE_LIMITS } from '../no_rate_limits.ts';
import { OPERATOR_TOKEN } from './calls/call.ts';
import { openOutside, type Outside } from './outside.ts';
import { supervise, type SupervisedProcess } from './supervised_process.ts';
import { newDatabase, type Servers } from './servers.ts';

const START_MS_MAX = 120_000;

/** A complete marketplace in processes of its own, every one of which a drill may break. */
export interface Deployment {
  readonly servers: Servers;
  /** URLs for the application, and for the superuser, whom no fault disconnects alone. */
  readonly databaseUrl: string;
  readonly adminUrl: string;
  /** Two: everything is sealed under the first, and may be under the second. */
  readonly masterKeys: string;
  readonly outside: Outside;
  readonly apis: readonly SupervisedProcess[];
  readonly workers: readonly SupervisedProcess[];
  readonly socksServers: readonly SupervisedProcess[];
  readonly socksPort: number;
  /** The base URLs of the APIs. */
  readonly urls: readonly string[];
  /** A folder: one file for each start of a process. */
  readonly logs: string;
  /** How long it took until all of them were ready. */
  readonly startMs: number;
  /** Resolves when every process is up and accepts work. */
  untilReady(): Promise<void>;
  stop(): Promise<void>;
}

export interface DeploymentOptions {
  readonly name: string;
  readonly apis?: number;
  readonly workers?: number;
  readonly socksServers?: 0 | 1;
  /** Whether it has networks and chains; absent: true. */
  readonly hasRails?: boolean;
  /** The program of a worker: absent, the real one; or a wrong one that the drill must detect. */
  readonly worker?: string;
  /** Makes the database wrong in a way that the drill must detect: SQL of its owner. */
  readonly sabotage?: string;
}

export async function openDeployment(
  servers: Servers,
  options: DeploymentOptions,
): Promise<Deployment> {
  const { name, apis = 2, workers = 3, socksServers = 1, sabotage } = options;
  const { worker = 'workers/main.ts', hasRails = true } = options;
  const { databaseUrl, adminUrl } = await newDatabase(servers, name, sabotage);
  const [socksPort, ports] = await Promise.all([
    freePort(),
    Promise.all(Array.from({ length: apis }, freePort)),
  ]);
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const outside = await openOutside(urls, { hasRails });
  const logs = join(servers.folder, `${name}-logs`);
  mkdirSync(logs);
  const masterKeys = ['drill', 'next'].map(newMasterKey).join();
  const env = {
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    REDIS_URL: servers.redis.url,
    OPERATOR_TOKEN,
    MASTER_KEYS: masterKeys,
    LOG_LEVEL: 'info',
    ...NO_RATE_LIMITS,
    DATABASE_CONNECTIONS: '12',
    SOCKS_PORT: String(socksPort),
    ...outside.env,
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
      supervise(`worker ${n}`, {
        program: worker,
        env,
        log: join(logs, `worker-${n}`),
      }),
    ),
    socksServers: Array.from({ length: socksServers }, (_, n) =>
      supervise(`SOCKS5 server ${n}`, {
        program: 'api/socks/main.ts',
        env,
        log: join(logs, `socks-${n}`),
      }),
    ),
  };
  const all = [...processes.apis, ...processes.workers, ...processes.socksServers];
  const untilReady = () => allReady(all, logs);
  const stop = async () => {
    await Promise.all(all.map((one) => one.stop()));
    await outside.close();
  };
  const startedAt = Date.now();
  await untilReady().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    servers,
    databaseUrl,
    adminUrl,
    masterKeys,
    outside,
    ...processes,
    socksPort,
    urls,
    logs,
    startMs: Date.now() - startedAt,
    untilReady,
    stop,
  };
}

async function allReady(processes: readonly SupervisedProcess[], logs: string): Promise<void> {
  const deadline = Date.now() + START_MS_MAX;
  while (!processes.every((one) => one.isReady())) {
    if (Date.now() > deadline) throw new Error(`Not every process started:\n${tailsOf(logs)}`);
    await sleep(50);
  }
}

/** The end of the log of each start of a process. */
const tailsOf = (logs: string): string =>
  readdirSync(logs)
    .map((file) => `${file}: ${readFileSync(join(logs, file), 'utf8').slice(-500)}`)
    .join('\n');
