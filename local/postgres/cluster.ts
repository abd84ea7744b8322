import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { run } from '../processes/command.ts';
import { sharedFolder } from '../paths.ts';
import { canReach, type User } from '../processes/user.ts';

export interface Passwords {
  readonly postgres: string;
  readonly market_owner: string;
  readonly market_app: string;
}

interface Cluster {
  readonly bin: string;
  readonly user: User;
  /** Folder of the cluster, see `clusterFolder`. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly durable: boolean;
  readonly passwords: Passwords;
}

/**
 * The folder itself; or, if root's folders are closed to the user that runs PostgreSQL, one under
 * /var/lib to which a symlink then points.
 */
export function clusterFolder(folder: string, user: User): string {
  if (isSymlink(folder)) return readlinkSync(folder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user.uid === undefined || user.gid === undefined) return folder;

  chownSync(folder, user.uid, user.gid);
  if (canReach(folder, user)) return folder;

  const elsewhere = mkdtempSync(join(sharedFolder(), 'cluster-'));
  chownSync(elsewhere, user.uid, user.gid);
  rmdirSync(folder);
  symlinkSync(elsewhere, folder);
  return elsewhere;
}

/**
 * Makes the cluster: a superuser, the owner of the schema, and the application's role, which may
 * only connect until a migration grants it more. All in single-user mode, so that an unfinished
 * cluster never takes connections.
 */
export async function makeCluster(cluster: Cluster, data: string): Promise<void> {
  const part = `${data}.new`;
  rmSync(part, { recursive: true, force: true });
  const made = await run(join(cluster.bin, 'initdb'), initdbArgs(part, cluster.durable), {
    ...cluster,
    cwd: '/',
  });
  if (!made.ok) throw new Error(`initdb failed:\n${made.all}`);
  writeFileSync(join(part, 'pg_hba.conf'), 'host all all 127.0.0.1/32 scram-sha-256\n');
  await runSingleUser(cluster, part, [
    'create role market_owner login',
    'create role market_app login',
    'create database market owner market_owner',
  ]);
  await setPasswords(cluster, part);
  renameSync(part, data);
}

export async function setPasswords(cluster: Cluster, data: string): Promise<void> {
  const statements = Object.entries(cluster.passwords).map(
    ([role, password]) => `alter role ${role} password '${password}'`,
  );
  // Both sides compute them at each connection, and tests open thousands.
  const iterations = cluster.durable ? [] : ['set scram_iterations = 1'];
  await runSingleUser(cluster, data, [...iterations, ...statements]);
}

/** The builtin locale needs no locales of the system and no ICU, and maps Unicode's cases. */
const initdbArgs = (data: string, durable: boolean) => [
  `--pgdata=${data}`,
  '--username=postgres',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  // Nobody may connect until the line with the permissions is written.
  '--auth=reject',
  '--no-instructions',
  ...(durable ? [] : ['--no-sync']),
];

async function runSingleUser(cluster: Cluster, data: string, statements: readonly string[]) {
  const sync = cluster.durable ? [] : ['-F'];
  const result = await run(
    join(cluster.bin, 'postgres'),
    ['--single', ...sync, '-D', data, 'postgres'],
    { ...cluster, cwd: '/', input: `${statements.join('\n')}\n` },
  );
  // In this mode a failed statement is only logged.
  if (!result.ok || /(ERROR|FATAL|PANIC):/.test(result.all)) {
    throw new Error(`PostgreSQL's roles could not be made:\n${result.all}`);
  }
}

function isSymlink(path: string): boolean {
  return existsSync(path) && lstatSync(path).isSymbolicLink();
}
