import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cacheFolder } from '../../local/paths.ts';
import { run } from '../../local/processes/command.ts';

/**
 * A folder with the packages of `folder/package-lock.json`, for programs that are no part of the
 * project. They are installed once for each lock file, without their scripts.
 *
 * It is below the project's own folder: what a lock file leaves out, its packages find there.
 */
export async function installPackages(name: string, folder: string): Promise<string> {
  const lock = readFileSync(join(folder, 'package-lock.json'));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const installed = join(cacheFolder, `${name}-${version}`);
  if (existsSync(installed)) return installed;
  mkdirSync(cacheFolder, { recursive: true });
  // Two runs may install at once; what stands in its place is whole.
  const ours = mkdtempSync(join(cacheFolder, `${name}-`));
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(folder, file), join(ours, file));
  }
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { ok, all } = await run('npm', ['ci', ...flags], { cwd: ours, env: process.env });
  if (!ok) rmSync(ours, { recursive: true });
  if (!ok) throw new Error(`The packages of ${name} were not installed:\n${all}`);
  try {
    renameSync(ours, installed);
  } catch (error) {
    rmSync(ours, { recursive: true });
    if (!existsSync(installed)) throw error;
  }
  return installed;
}
