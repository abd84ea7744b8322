import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../sources.ts';
import { installPackages } from './packages.ts';

/** Folder of the programs of agent frameworks, with the packages that they want. */
export const FRAMEWORKS = join(ROOT, 'docs/examples/frameworks');

/**
 * The packages of `docs/examples/frameworks/package-lock.json`, and the programs beside them: those
 * packages are larger than all that the project needs.
 */
export async function installFrameworks(): Promise<string> {
  const folder = await installPackages('frameworks', FRAMEWORKS);
  for (const name of readdirSync(FRAMEWORKS).filter((one) => one.endsWith('.mjs'))) {
    cpSync(join(FRAMEWORKS, name), join(folder, name));
  }
  return folder;
}
