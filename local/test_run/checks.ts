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

/** What a check that failed has to say. */
export interface FailedCheck {
  readonly name: string;
  readonly output: string;
}

/** One after the other, because tests run at the same time. */
export async function runChecks(env: Environment): Promise<FailedCheck[]> {
  const failed: FailedCheck[] = [];
  for (const [name, [command = '', ...args]] of Object.entries(CHECKS)) {
    const file = join(checkoutFolder, 'node_modules/.bin', command);
    const { ok, all } = await run(file, args, { cwd: checkoutFolder, env });
    if (!ok) failed.push({ name, output: all });
  }
  return failed;
}
