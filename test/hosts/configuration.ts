import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../../local/paths.ts';
import type { User } from '../../local/processes/user.ts';

const HOSTS_FOLDER = join(checkoutFolder, 'deploy/hosts');

export type Values = Readonly<Record<string, string>>;

/** A file of deploy/hosts with its `${NAME}`s, as `envsubst` writes it. */
export function rendered(file: string, values: Values): string {
  const text = readFileSync(join(HOSTS_FOLDER, file), 'utf8');
  return text.replaceAll(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} names ${name}, which has no value`);
    return value;
  });
}

/** Writes a configuration for a server that runs as `user`. Returns its path. */
export function configure(file: string, values: Values, user: User, more = ''): string {
  const path = join(values.CONFIG!, file);
  writeFileSync(path, rendered(file, values) + more, { mode: 0o600 });
  give(path, user);
  return path;
}

export function makeFolder(path: string, user: User): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  give(path, user);
  return path;
}

function give(path: string, { uid, gid }: User): void {
  if (uid !== undefined && gid !== undefined) chownSync(path, uid, gid);
}

/** Its name in the system. */
export const userName = ({ uid }: User): string =>
  execFileSync('id', ['-nu', ...(uid === undefined ? [] : [String(uid)])], {
    encoding: 'utf8',
  }).trim();

/** The variables of a file that systemd reads as `EnvironmentFile`. */
export const environmentOf = (text: string): Values =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  ) as Values;
