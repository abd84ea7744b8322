import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../../local/paths.ts';
import { programArguments } from '../programs.ts';

const PROGRAMS = {
  api: 'api/main.ts',
  worker: 'workers/main.ts',
  migrate: 'migrations/run.ts',
} as const;
export type Program = keyof typeof PROGRAMS;

/** A version of the marketplace, with the arguments of Node that run one of its programs. */
export interface Release {
  readonly name: string;
  argumentsOf(program: Program): readonly string[];
}

/** This checkout. Its programs are bundled now: nothing else in the process goes on meanwhile. */
export function buildThisRelease(): Release {
  const files = new Map(
    Object.entries(PROGRAMS).map(([program, file]) => [program, programArguments(file)]),
  );
  return { name: 'this release', argumentsOf: (program) => files.get(program)! };
}

/**
 * The last release, built in this folder with the packages of this checkout. Its commit is in
 * migrations/last_release.json. Undefined: the checkout has no history, as in a downloaded archive.
 */
export function buildLastRelease(folder: string): Release | undefined {
  const record = readFileSync(join(checkoutFolder, 'migrations/last_release.json'), 'utf8');
  const { commit } = JSON.parse(record) as { commit: string };
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', checkoutFolder, ...args], { stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
  } catch {
    return undefined;
  }
  mkdirSync(folder);
  const archive = execFileSync('git', ['-C', checkoutFolder, 'archive', commit], {
    maxBuffer: 2 ** 30,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(checkoutFolder, 'node_modules'), join(folder, 'node_modules'));
  execFileSync(process.execPath, ['local/build.mjs'], { cwd: folder, stdio: 'pipe' });
  return {
    name: 'the last release',
    argumentsOf: (program) => ['--enable-source-maps', join(folder, 'dist', `${program}.js`)],
  };
}
