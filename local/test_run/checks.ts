import { join } from 'node:path';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { checkoutFolder } from '../paths.ts';
import { run } from '../processes/command.ts';

const CHECKS = {
  'type check': ['tsc', '--noEmit'],
  linter: ['oxlint', '--type-aware'],
  // It would read ignored folders too, which may be closed to this user.
  formatter: ['prettier', '--check', '--log-level', 'warn', '.', '!.data', '!.cache'],
};

/** The output of the checks that failed, by their names. */
export type FailedChecks = Readonly<Record<string, string>>;

/** One after the other and before the tests: on the same cores they would slow each other down. */
export async function runChecks(env: Environment): Promise<FailedChecks> {
  const failed: Record<string, string> = {};
  for (const [name, [command = '', ...args]] of Object.entries(CHECKS)) {
    const file = join(checkoutFolder, 'node_modules/.bin', command);
    const { ok, all } = await run(file, args, { cwd: checkoutFolder, env });
    if (!ok) failed[name] = all;
  }
  return failed;
}
