import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { postgresUser } from '../../local/processes/user.ts';
import { newMasterKey } from '../../shared/platform/config/setting_values.ts';
import { NO_RATE_LIMITS } from '../no_rate_limits.ts';
import { eventually } from '../platform/eventually.ts';
import { patientLimits } from '../platform/patient_limits.ts';
import type { Program, Release } from '../releases/releases.ts';
import { configure, makeFolder } from './configuration.ts';
import type { DatabaseHosts } from './database_hosts.ts';
import { openHost, type Host, type HostProcess } from './network.ts';
import type { Programs } from './programs.ts';

const NUMBERS = { app1: 11, app2: 12, router: 20 };
const API_PORT = 3000;
const WORKER_PORT = 3001;
const ROUTER_PORT = 8080;

/** Two hosts with HAProxy, an API process and a worker, and a host with the router before them. */
export async function openApplicationHosts(
  programs: Programs,
  databases: DatabaseHosts,
  folder: string,
) {
  const { passwords } = databases;
  const user = postgresUser();
  const database = (role: string, password: string, port = 5000) =>
    `postgres://${role}:${password}@127.0.0.1:${port}/market`;
  const sentinels = ['db1', 'db2', 'db3']
    .map((name) => databases.hostNamed(name).addressOn('client'))
    .join(',');
  const settings = {
    ...process.env,
    NODE_ENV: 'test',
    HOST: '0.0.0.0',
    PORT: String(API_PORT),
    WORKER_HEALTH_PORT: String(WORKER_PORT),
    DATABASE_URL: database('market_app', passwords.APP_PASSWORD),
    DATABASE_READ_URL: database('market_app', passwords.APP_PASSWORD, 5001),
    REDIS_URL: `redis+sentinel://:${passwords.REDIS_PASSWORD}@${sentinels}/market`,
    OPERATOR_TOKEN: 'operator-token-of-the-tests',
    MASTER_KEYS: newMasterKey('hosts'),
    LOG_LEVEL: 'warn',
    TRUSTED_HOPS: '1',
    DATABASE_CONNECTIONS: '8',
    ...NO_RATE_LIMITS,
    ...patientLimits(),
  };
  const running = new Map<string, HostProcess>();
  const hosts = new Map<string, Host>();

  async function openWithProxy(name: keyof typeof NUMBERS, file: string): Promise<Host> {
    const host = await openHost(name, NUMBERS[name]);
    const at = join(folder, name);
    mkdirSync(at, { recursive: true });
    const config = makeFolder(join(at, 'config'), user);
    const addresses = Object.fromEntries(
      Object.entries(NUMBERS).map(([other, n]) => [other.toUpperCase(), `10.77.0.${n}`]),
    );
    const bind = `${host.addressOn('client')}:${ROUTER_PORT}`;
    const values = { ...databases.addresses(), ...addresses, ROUTER_BIND: bind, CONFIG: config };
    host.run(programs.haproxy, ['-db', '-f', configure(file, values, user)], {
      user,
      env: programs.env,
      output: openSync(join(at, 'haproxy.log'), 'a'),
      isKept: true,
    });
    hosts.set(name, host);
    return host;
  }

  async function start(name: string, release: Release, program: 'api' | 'worker'): Promise<void> {
    const host = hosts.get(name)!;
    running.set(
      `${name}/${program}`,
      host.run(process.execPath, release.argumentsOf(program), {
        env: settings,
        output: openSync(join(folder, name, `${program}.log`), 'a'),
        isKept: true,
      }),
    );
    const at = program === 'api' ? `${API_PORT}/readyz` : `${WORKER_PORT}/healthz`;
    await untilOk(`http://${host.addressOn('client')}:${at}`);
  }

  async function stop(name: string, program: Program): Promise<void> {
    const stopped = running.get(`${name}/${program}`)!;
    stopped.kill('SIGTERM');
    const code = await stopped.ended;
    if (code !== 0) throw new Error(`${program} on ${name} ended with ${String(code)}`);
  }

  await openWithProxy('app1', 'haproxy.cfg');
  await openWithProxy('app2', 'haproxy.cfg');
  const router = await openWithProxy('router', 'router.cfg');

  const url = `http://${router.addressOn('client')}:${ROUTER_PORT}`;

  return {
    url,
    async migrate(release: Release): Promise<void> {
      const owner = database('market_owner', passwords.OWNER_PASSWORD);
      const migrated = hosts.get('app1')!.run(process.execPath, release.argumentsOf('migrate'), {
        env: { ...settings, MIGRATION_DATABASE_URL: owner },
        output: openSync(join(folder, 'app1', 'migrate.log'), 'a'),
      });
      const code = await migrated.ended;
      if (code !== 0)
        throw new Error(`the migration of ${release.name} ended with ${String(code)}`);
    },
    async startAll(release: Release): Promise<void> {
      for (const name of ['app1', 'app2']) {
        await Promise.all([start(name, release, 'api'), start(name, release, 'worker')]);
      }
      await untilOk(`${url}/readyz`);
    },
    /** Replaces one process after the other by one of this release. */
    async roll(release: Release, say: (text: string) => void): Promise<void> {
      for (const name of ['app1', 'app2']) {
        for (const program of ['api', 'worker'] as const) {
          say(`${program} on ${name}`);
          await stop(name, program);
          await start(name, release, program);
        }
      }
    },
  };
}

const untilOk = (url: string) =>
  eventually(
    () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    Boolean,
  );
