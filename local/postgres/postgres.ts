import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { newPassword } from '../stored_values.ts';
import { freePort } from '../ports.ts';
import { postgresBinaries } from './binaries.ts';
import { clusterFolder, makeCluster, setPasswords, type Passwords } from './cluster.ts';
import { serverOf, type Server } from '../processes/server.ts';
import { postgresUser } from '../processes/user.ts';

interface PostgresOptions {
  /** Folder of the cluster, existing or new. Absent: one in TMPDIR, which the caller removes. */
  readonly folder?: string;
  readonly port?: number;
  readonly passwords?: Passwords;
  /** True: the passwords differ from those of the existing cluster. */
  readonly newPasswords?: boolean;
  /** True: survives a power cut. Absent: for tests, where speed counts. */
  readonly durable?: boolean;
}

export interface Postgres extends Server {
  /** URL for the owner of the schema, or for the application. */
  urlOf(role: keyof Passwords): string;
  readonly folder: string;
}

/** Starts a real PostgreSQL on 127.0.0.1, with the database `market` and its two roles. */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const user = postgresUser();
  const given = options.folder ?? mkdtempSync(join(tmpdir(), 'postgres-'));
  const folder = clusterFolder(given, user);
  const durable = options.durable ?? false;
  const passwords = options.passwords ?? {
    postgres: newPassword(),
    market_owner: newPassword(),
    market_app: newPassword(),
  };
  const { PATH } = environmentWith({});
  const env = { PATH, LC_ALL: 'C', TZ: 'UTC' };
  const cluster = { bin: await postgresBinaries(user), user, folder, env, durable, passwords };

  const data = join(folder, 'data');
  if (!existsSync(data)) await makeCluster(cluster, data);
  else if (options.newPasswords) await setPasswords(cluster, data);

  const port = options.port ?? (await freePort());
  const pidFile = join(data, 'postmaster.pid');
  const server = serverOf({
    name: 'PostgreSQL',
    file: join(cluster.bin, 'postgres'),
    args: ['-D', data, ...settings(port, durable)],
    // A fast shutdown: ends sessions and writes everything to disk.
    signal: 'INT',
    folder: data,
    pidFile,
    logFile: join(folder, 'postgres.log'),
    user,
    env,
    isReady: (pid) => isReady(pidFile, pid),
    transientFault: /pre-existing shared memory block|lock file .* already exists|in use/i,
  });
  await server.start();
  const urlOf = (role: keyof Passwords) =>
    `postgres://${role}:${passwords[role]}@127.0.0.1:${port}/market`;
  return { ...server, port, url: urlOf('postgres'), urlOf, folder: given };
}

function settings(port: number, durable: boolean): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    timezone: 'UTC',
    log_timezone: 'UTC',
    ...(durable
      ? { shared_buffers: '256MB', ...SYNC_AT_ONCE }
      : // Safe against the death of the server, which tests cause, and not of the machine. What its
        // processes share is in its folder, so nothing else is left of one that is killed.
        { fsync: 'off', full_page_writes: 'off', dynamic_shared_memory_type: 'mmap' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * How PostgreSQL syncs all its files to disk after a crash. File by file that took 2.2 s of a
 * start, by one system call 0.4 s, which only Linux has.
 */
const SYNC_AT_ONCE =
  process.platform === 'linux' ? { recovery_init_sync_method: 'syncfs' } : undefined;

/**
 * The postmaster writes its pid on the first line and, once it takes connections, the eighth. On a
 * standby these may only read.
 */
function isReady(pidFile: string, pid: number): boolean {
  if (!existsSync(pidFile)) return false;
  const lines = readFileSync(pidFile, 'utf8').split('\n');
  return Number(lines[0]) === pid && /^(ready|standby) *$/.test(lines[7] ?? '');
}
