import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../paths.ts';

/**
 * With which others a test file runs at the same time: each with those of its company, which come
 * in this order, and one of `alone` with none.
 */
export type Company = 'lanes' | 'waiting' | 'alone';
export const COMPANIES: readonly Company[] = ['lanes', 'waiting', 'alone'];

/**
 * A test file that measures says so in its first line: what needs the machine for itself runs
 * alone, and what mostly waits runs beside others that do.
 */
export function companyOf(file: string): Company {
  const text = textOf(file);
  if (text.startsWith('// Runs alone:')) return 'alone';
  return text.startsWith('// Runs beside others that wait:') ? 'waiting' : 'lanes';
}

/**
 * Every test file: first those that raised mocha's time limit, because a long one that starts last
 * leaves the other lanes idle, then those that wait, and at the end those that run alone.
 */
export function everyTestFile(): string[] {
  const files = readdirSync(join(checkoutFolder, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file.replaceAll('\\', '/')}`)
    .toSorted();
  return files
    .map((file) => ({ file, rank: rankOf(file) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ file }) => file);
}

const rankOf = (file: string) =>
  2 * COMPANIES.indexOf(companyOf(file)) + (textOf(file).includes(LONG) ? 0 : 1);

const LONG = 'this.timeout(';

function textOf(file: string): string {
  const path = join(checkoutFolder, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}
