import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { cacheFolder } from '../../local/paths.ts';
import { run } from '../../local/processes/command.ts';
import { ROOT } from '../sources.ts';

/** Where the programs of agent frameworks stand, with the packages that they want. */
export const FRAMEWORKS = join(ROOT, 'docs/examples/frameworks');

/**
 * The packages of `docs/examples/frameworks/package-lock.json`, and the programs beside them. They
 * are installed once for each lock file, because they are larger than all that the project needs.
 */
export async function installFrameworks(): Promise<string> {
  const lock = readFileSync(join(FRAMEWORKS, 'package-lock.json'));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 12);
  const folder = join(cacheFolder, `frameworks-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cacheFolder, { recursive: true });
    // Two runs may install at once; what stands in its place is whole.
    const ours = mkdtempSync(join(cacheFolder, 'frameworks-'));
    for (const name of ['package.json', 'package-lock.json']) {
      cpSync(join(FRAMEWORKS, name), join(ours, name));
    }
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
    const installed = await run('npm', ['ci', ...flags], { cwd: ours, env: process.env });
    if (!installed.ok) rmSync(ours, { recursive: true });
    if (!installed.ok) throw new Error(`The frameworks were not installed:\n${installed.all}`);
    try {
      renameSync(ours, folder);
    } catch (error) {
      rmSync(ours, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  for (const name of readdirSync(FRAMEWORKS).filter((one) => one.endsWith('.mjs'))) {
    cpSync(join(FRAMEWORKS, name), join(folder, name));
  }
  return folder;
}
