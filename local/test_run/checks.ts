import { join } from 'node:path';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { checkoutFolder } from '../paths.ts';
import { run } from '../processes/command.ts';

/** What decides whether a change is right: the types, by the same pass that lints by them. */
export const DECIDING_CHECKS = {
  'linter, with types,': ['oxlint', '--type-aware', '--type-check'],
};

/** The compiler's own word, in case the linter leaves something out, and the format. */
export const FURTHER_CHECKS = {
  'type check': ['tsc', '--noEmit'],
  // It would read ignored folders too, which may be closed to this user.
  formatter: ['prettier', '--check', '--log-level', 'warn', '.', '!.data', '!.cache'],
};

export type Checks = Readonly<Record<string, readonly string[]>>;

/** By the names of the checks that failed: that, and their output. */
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
