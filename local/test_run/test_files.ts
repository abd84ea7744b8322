import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../paths.ts';

/**
 * A test file that measures, or needs the machine for itself for another reason, says so in its
 * first line: no other file runs at the same time.
 */
export const runsAlone = (file: string): boolean => textOf(file).startsWith('// Runs alone:');

/**
 * Every test file: first those that raised mocha's time limit, because a long one that starts last
 * leaves the other lane idle, and at the end those that run alone.
 */
export function everyTestFile(): string[] {
  const files = readdirSync(join(checkoutFolder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .toSorted();
  return files
    .map((file) => ({ file, rank: runsAlone(file) ? 2 : textOf(file).includes(LONG) ? 0 : 1 }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ file }) => file);
}

const LONG = 'this.timeout(';

function textOf(file: string): string {
  const path = join(checkoutFolder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
