import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { freePort } from '../../local/ports.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { keepRunning, type Kept } from './supervised_process.ts';
import { newDatabase, type Servers } from './servers.ts';

const START_MS_MAX = 120_000;

export const OPERATOR_TOKEN = 'operator-token-of-the-drill';

/** A whole marketplace in processes of its own, all of which may be hurt. */
export interface Rig {
  readonly servers: Servers;
  readonly databaseUrl: string;
  readonly apis: readonly Kept[];
  readonly workers: readonly Kept[];
  /** Where the APIs listen. */
  readonly urls: readonly string[];
  /** A folder: one file for each start of a process. */
  readonly logs: string;
  /** Resolves when every process is up and takes work. */
  whole(): Promise<void>;
  stop(): Promise<void>;
}

export interface RigOptions {
  readonly name: string;
  readonly apis?: number;
  readonly workers?: number;
  /** The program of a worker: the real one, or a broken one that the drill must catch. */
  readonly worker?: string;
}

export async function openRig(servers: Servers, options: RigOptions): Promise<Rig> {
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
  const kept = {
    apis: ports.map((port, n) =>
      keepRunning(`API ${n}`, {
        program: 'api/main.ts',
        env: { ...env, PORT: String(port) },
        log: join(logs, `api-${n}`),
      }),
    ),
    workers: Array.from({ length: workers }, (_, n) =>
      keepRunning(`worker ${n}`, { program: worker, env, log: join(logs, `worker-${n}`) }),
    ),
  };
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const all = [...kept.apis, ...kept.workers];
  const rig = {
    servers,
    databaseUrl,
    ...kept,
    urls,
    logs,
    whole: () => allWell(all, logs),
    stop: () => stopAll(all),
  };
  await rig.whole().catch(async (error: unknown) => {
    await rig.stop();
    throw error;
  });
  return rig;
}

async function allWell(processes: readonly Kept[], logs: string): Promise<void> {
  const deadline = Date.now() + START_MS_MAX;
  while (!processes.every((one) => one.isWell())) {
    if (Date.now() > deadline) throw new Error(`Not every process started:\n${tailsOf(logs)}`);
    await sleep(50);
  }
}

async function stopAll(processes: readonly Kept[]): Promise<void> {
  await Promise.all(processes.map((one) => one.stop()));
}

/** The last that each start of a process said. */
const tailsOf = (logs: string): string =>
  readdirSync(logs)
    .map((file) => `${file}: ${readFileSync(join(logs, file), 'utf8').slice(-500)}`)
    .join('\n');
