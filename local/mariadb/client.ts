import { join } from 'node:path';

import { environmentWith } from '../../shared/platform/config/environment.ts';
import { libraryPath, unpackDebian } from '../processes/apt.ts';
import { run, type CommandResult } from '../processes/command.ts';

const PACKAGE = 'mariadb-client-core';

/** Runs a statement by the `mariadb` program, like users of a `mysql://…` connection. */
export async function runMariaDbClient(connection: string, sql: string): Promise<CommandResult> {
  const root = await unpackDebian(PACKAGE);
  if (!root) throw new Error(`There is no apt here that gives ${PACKAGE}.`);
  const { hostname, port, username, password, pathname } = new URL(connection);
  const args = ['--no-defaults', '--protocol=TCP', `--host=${hostname}`, `--port=${port}`];
  const rest = [`--user=${username}`, `--execute=${sql}`, pathname.slice(1)];
  return run(join(root, 'usr/bin/mariadb'), [...args, ...rest], {
    env: environmentWith({ LD_LIBRARY_PATH: libraryPath(root), MYSQL_PWD: password }),
    timeoutMs: 20_000,
  });
}
