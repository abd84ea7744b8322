import { readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { buildCached } from '../build.mjs';
import { cacheFolder } from '../paths.ts';
import { runToEnd } from './application_process.ts';

export const build = (): Promise<string> => buildCached(join(cacheFolder, 'build'));

/** A path that stands for the newest build: a process that starts again starts from that. */
export function linkTo(built: string, dataDir: string): string {
  const link = join(dataDir, 'build');
  rmSync(link, { force: true });
  symlinkSync(built, link);
  return link;
}

/**
 * Builds changed sources, migrates, and lets `restart` start the result. A failure is reported, and
 * the last good build runs on.
 */
export async function rebuild(
  link: string,
  env: Environment,
  restart: () => Promise<void>,
): Promise<void> {
  const begunAt = Date.now();
  try {
    const built = await build();
    if (built === readlinkSync(link)) return;
    await runToEnd('The migration', join(built, 'migrate.js'), env);
    symlinkSync(built, `${link}.new`);
    renameSync(`${link}.new`, link);
    console.log(`Built what has changed in ${Date.now() - begunAt} ms.`);
    await restart();
  } catch (error) {
    console.error(`Not built: ${(error as Error).message}`);
  }
}
