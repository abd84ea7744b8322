import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { libraryPath, unpackDebian } from '../processes/apt.ts';
import { run } from '../processes/command.ts';
import { greets } from '../processes/greets.ts';
import { serverOf, type Server } from '../processes/server.ts';
import { freePort } from '../ports.ts';
import { newPassword } from '../stored_values.ts';

const PACKAGE = 'mariadb-server-core';

/**
 * A MariaDB on 127.0.0.1 for tests, from a Debian package that is unpacked and not installed. Its
 * user `seller` may do everything, and it has an empty database `data`. `settings` are additional
 * arguments. Unless they configure TLS, it offers TLS with a self-signed certificate.
 */
export async function startMariaDb({
  folder = mkdtempSync(join(tmpdir(), 'mariadb-')),
  settings = [],
}: { folder?: string; settings?: readonly string[] } = {}): Promise<Server> {
  const root = await unpackDebian(PACKAGE);
  if (!root) throw new Error(`There is no apt here that gives ${PACKAGE}.`);
  const env = { LD_LIBRARY_PATH: libraryPath(root) };
  const file = join(root, 'usr/sbin/mariadbd');
  const data = join(folder, 'data');
  const temporary = join(folder, 'temporary');
  for (const one of [data, temporary]) mkdirSync(one, { recursive: true, mode: 0o700 });
  const common = [
    '--no-defaults',
    ...(process.getuid?.() === 0 ? ['--user=root'] : []),
    `--basedir=${join(root, 'usr')}`,
    `--datadir=${data}`,
    // A starting server removes the files of others in a shared folder.
    `--tmpdir=${temporary}`,
    `--lc-messages-dir=${join(root, 'usr/share/mysql')}`,
    '--innodb-log-file-size=8M',
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-innodb-doublewrite',
    '--innodb-use-native-aio=OFF',
  ];
  const password = newPassword();
  const made = await run(file, [...common, '--bootstrap', '--log-warnings=0'], {
    env: environmentWith({ LC_ALL: 'C', ...env }),
    input: bootstrapOf(join(root, 'usr/share/mysql'), password),
    timeoutMs: 60_000,
  });
  if (!made.ok) throw new Error(`MariaDB could not be set up: ${made.all.slice(-500)}`);

  const port = await freePort();
  const pidFile = join(folder, 'mariadb.pid');
  const server = serverOf({
    name: 'MariaDB',
    file,
    args: [
      ...common,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(folder, 'socket')}`,
      `--pid-file=${pidFile}`,
      '--skip-name-resolve',
      '--performance-schema=OFF',
      '--innodb-buffer-pool-size=32M',
      ...settings,
    ],
    signal: 'TERM',
    folder,
    pidFile,
    logFile: join(folder, 'mariadb.log'),
    user: {},
    env,
    isReady: () => greets(port),
    transientFault: /in use/i,
  });
  await server.start();
  return { ...server, port, url: `mysql://seller:${password}@127.0.0.1:${port}/data` };
}

/** The SQL of mariadb-install-db, without the programs that it needs. */
function bootstrapOf(share: string, password: string): string {
  const scripts = [
    'system_tables',
    'performance_tables',
    'system_tables_data',
    'add_gis_sp_bootstrap',
    'sys_schema',
  ].map((name) => {
    const file = ['mysql', 'mariadb', 'maria']
      .map((prefix) => join(share, `${prefix}_${name}.sql`))
      .find((path) => existsSync(path));
    return file ? readFileSync(file, 'utf8') : '';
  });
  return [
    'create database mysql;',
    'use mysql;',
    'SET @auth_root_socket=NULL;',
    ...scripts,
    'create database data character set utf8mb4;',
    'FLUSH PRIVILEGES;',
    `CREATE USER 'seller'@'%' IDENTIFIED BY '${password}';`,
    "GRANT ALL ON *.* TO 'seller'@'%' WITH GRANT OPTION;",
    '',
  ].join('\n');
}
