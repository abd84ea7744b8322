import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { checkoutFolder } from '../paths.ts';

/** The command of npm that runs a test file: `test:all` also runs those of `test`. */
export type TestCommand = 'test' | 'test:all' | 'test:goals' | 'drill:hosts';

/** A file of `test` says nothing; each other says in its first line where it runs, and why. */
export const commandOf = (file: string): TestCommand => placeOf(file).command;

/** With the reason that its first line gives. */
export function placeOf(file: string): { command: TestCommand; reason: string } {
  const found = /^\/\/ (test:all|test:goals|drill:hosts): (.+)/.exec(textOf(file));
  const [, command = 'test', reason = 'It decides whether a change is right.'] = found ?? [];
  return { command: command as TestCommand, reason };
}

/** The test files below these files and folders, from the root of the checkout. */
export function testFilesIn(paths: readonly string[]): string[] {
  const files = paths.flatMap((path) => {
    const full = join(checkoutFolder, path);
    if (!existsSync(full)) throw new Error(`There is no ${path}.`);
    if (!/^(\.\/)?test(\/|$)/.test(path)) throw new Error(`${path} is not below test/.`);
    if (!statSync(full).isDirectory()) {
      if (path.endsWith('.ts')) return [path];
      throw new Error(`${path} is no file of tests.`);
    }
    return readdirSync(full, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => `${path}/${file.replaceAll('\\', '/')}`);
  });
  if (files.length === 0) throw new Error(`There is no file of tests in ${paths.join(', ')}.`);
  return [...new Set(files.map((file) => file.replace(/^\.\//, '')))].toSorted();
}

/** A long file that starts last leaves the other lanes idle: first those that raise the limit. */
export function longFirst(files: readonly string[]): string[] {
  const rank = (file: string) => (textOf(file).includes('this.timeout(') ? 0 : 1);
  return files.toSorted((a, b) => rank(a) - rank(b));
}

/** Whether this file, or what it imports, reads where the servers of its lane are. */
export function needsServers(file: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  const text = textOf(file);
  if (/\bTEST_(POSTGRES|REDIS)_URL\b/.test(text)) return true;
  const imported = [...text.matchAll(/(?:\bfrom|^import|\bimport\() ?'(\.[^']+)'/gm)];
  return imported.some(([, name]) => needsServers(join(dirname(file), name!), seen));
}

/**
 * Whether this file by itself starts programs of the checkout, as it seems (test/programs.ts). They
 * are bundled when they are started, by each lane, if it is not so.
 */
export const startsPrograms = (file: string): boolean =>
  /\b(launch|child)\(platform\b/.test(textOf(file));

function textOf(file: string): string {
  const path = join(checkoutFolder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
