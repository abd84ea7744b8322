import { cpSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../../../local/paths.ts';
import { translate } from '../../../local/test_run/lanes/translate.ts';
import { files } from '../../sources.ts';
import type { Mutation } from '../mutation.ts';

/** Option `--import` of Node that lets it load the copy. */
export const LOADER = './test/mutations/run/load_translated.mjs';

/**
 * Copies everything but what git ignores and the history. TypeScript is translated, once, and keeps
 * its name: tsx, which translates what is imported, takes more than half of what a run costs.
 */
export function copyCheckout(copy: string): void {
  const left = ['.git', 'node_modules', '.cache', '.data', '.env', 'dist'];
  const paths = new Set(left.map((name) => join(checkoutFolder, name)));
  cpSync(checkoutFolder, copy, {
    recursive: true,
    filter: (path) => !paths.has(path) && !path.endsWith('/node_modules'),
  });
  for (const path of texts.keys()) if (TYPESCRIPT.test(path)) writeCopy(copy, path);
  for (const name of ['node_modules', '.cache']) {
    const original = join(checkoutFolder, name);
    if (existsSync(original)) symlinkSync(original, join(copy, name));
  }
}

/** Texts when the run began. */
const texts = new Map(files.map(({ path, text }) => [path, text]));

/** Writes a file of the copy again, with a mutation or without. */
export function writeCopy(copy: string, path: string, mutation?: Mutation): void {
  const original = texts.get(path)!;
  // A function, because `$` has a meaning in a text.
  const text = mutation ? original.replace(mutation.from, () => mutation.to) : original;
  writeFileSync(join(copy, path), TYPESCRIPT.test(path) ? translate(text, path) : text);
}

const TYPESCRIPT = /\.tsx?$/;
