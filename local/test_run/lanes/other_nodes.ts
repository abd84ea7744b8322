import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { environmentWith } from '../../../shared/platform/config/environment.ts';
import { cacheFolder } from '../../paths.ts';
import { run } from '../../processes/command.ts';

/** The other versions of Node on which the deciding tests must pass; first that of the image. */
export const OTHER_NODES = ['24.21.0', '22.23.3'];

/**
 * The program of a version of Node, from an npm package that holds it: 190 MB, kept in the cache.
 */
export async function nodeProgram(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(cacheFolder, `node-${version}`);
  const file = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const flags = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const { ok, all } = await run('npm', ['install', ...flags, `${name}@${version}`], {
    env: environmentWith({}),
  });
  if (ok && existsSync(file)) return file;
  throw new Error(`Node ${version} could not be fetched from ${name}:\n${all.trim()}`);
}
