import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { checkoutFolder } from '../../../local/paths.ts';
import type { Mutation } from '../mutation.ts';

/** Why a mutation cannot be applied or judged, if so. */
export function problemOf({ file, from, to, tests }: Mutation): string | undefined {
  const path = join(checkoutFolder, file);
  if (!existsSync(path)) return `there is no ${file}`;
  const times = readFileSync(path, 'utf8').split(from).length - 1;
  if (times !== 1) return `${file} has its text ${times} times`;
  if (from === to) return 'it changes nothing';
  const missing = tests.filter((test) => !existsSync(join(checkoutFolder, test)));
  if (missing.length > 0) return `there is no ${missing.join(', ')}`;
  return tests.length === 0 ? 'it names no tests' : undefined;
}
