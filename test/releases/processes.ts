import { spawn } from 'node:child_process';
import { once } from 'node:events';

import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import type { Servers } from '../drill/servers.ts';
import { NO_RATE_LIMITS } from '../no_rate_limits.ts';
import { patientLimits } from '../platform/patient_limits.ts';
import type { Program, Release } from './releases.ts';

/** An API process and a worker of one release. */
export interface Pair {
  readonly url: string;
  /** Ends both as a supervisor does, and resolves with their exit codes. */
  stop(): Promise<readonly unknown[]>;
}

/** Starts programs of any release on one database, with the settings of one deployment. */
export function openProcesses(servers: Servers, urlOf: (role: string) => string) {
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: urlOf('market_app'),
    MIGRATION_DATABASE_URL: urlOf('market_owner'),
    REDIS_URL: servers.redis.url,
    OPERATOR_TOKEN: 'operator-token-of-the-tests',
    MASTER_KEYS: newMasterKey('releases'),
    LOG_LEVEL: 'silent',
    DATABASE_CONNECTIONS: '8',
    // Refuses each question, so no domain is known, and its addresses are free.
    DNS_SERVERS: '127.0.0.1:1',
    ...NO_RATE_LIMITS,
    ...patientLimits(),
  };
  const running = new Set<() => Promise<unknown>>();

  async function start(release: Release, program: Program) {
    const child = spawn(process.execPath, release.argumentsOf(program), {
      env,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const ended = once(child, 'exit').then(([code, signal]) => (signal ?? code) as unknown);
    const stop = () => {
      child.kill('SIGTERM');
      return ended;
    };
    running.add(stop);
    void ended.then(() => running.delete(stop));
    const ready = once(child, 'message') as Promise<[{ port?: number }]>;
    const [message] = (await Promise.race([
      ready,
      ended.then((how) => {
        throw new Error(`${program} of ${release.name} ended with ${String(how)} at its start`);
      }),
    ])) as [{ port?: number }];
    return { port: message.port, stop };
  }

  return {
    async migrate(release: Release): Promise<void> {
      const child = spawn(process.execPath, release.argumentsOf('migrate'), {
        env,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`the migration of ${release.name} ended with ${code}`);
    },
    async startPair(release: Release): Promise<Pair> {
      const [api, worker] = await Promise.all([start(release, 'api'), start(release, 'worker')]);
      return {
        url: `http://127.0.0.1:${api.port}`,
        stop: () => Promise.all([api.stop(), worker.stop()]),
      };
    },
    stopAll: () => Promise.all([...running].map((stop) => stop())),
  };
}
