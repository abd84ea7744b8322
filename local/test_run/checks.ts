import { join } from 'node:path';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { checkoutFolder } from '../paths.ts';
import { run } from '../processes/command.ts';

/** Checks that decide whether a change is right: types, in the same pass as the linter. */
export const DECIDING_CHECKS = {
  'linter, with types,': ['oxlint', '--type-aware', '--type-check'],
};

/** Further checks: the compiler, in case the linter misses something, and the format. */
export const FURTHER_CHECKS = {
  'type check': ['tsc', '--noEmit'],
  // It would read ignored folders too, which may be closed to this user.
  formatter: ['prettier', '--check', '--log-level', 'warn', '.', '!.data', '!.cache'],
};

export type Checks = Readonly<Record<string, readonly string[]>>;

/** Output of the failed checks, by their names. */
export type FailedChecks = Readonly<Record<string, string>>;

/** One after the other and before the tests: on the same cores they would slow each other down. */
export async function runChecks(checks: Checks, env: Environment): Promise<FailedChecks> {
  const failed: Record<string, string> = {};
  for (const [name, [command = '', ...args]] of Object.entries(checks)) {
    const file = join(checkoutFolder, 'node_modules/.bin', command);
    const { ok, all } = await run(file, args, { cwd: checkoutFolder, env });
    if (!ok) failed[name] = `The ${name} failed:\n${all}`;
  }
  return failed;
}
