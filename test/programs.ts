import { join } from 'node:path';

import { buildProgram } from '../local/build.mjs';
import { cacheFolder } from '../local/paths.ts';

const built = new Map<string, readonly string[]>();

/**
 * Arguments of Node that run a program of the checkout: `programArguments('api/main.ts')`. It is
 * bundled, because it is then ready after a fifth of the CPU time that tsx takes.
 */
export function programArguments(program: string): readonly string[] {
  let found = built.get(program);
  if (!found) {
    found = ['--enable-source-maps', buildProgram(program, join(cacheFolder, 'test'))];
    built.set(program, found);
  }
  return found;
}
