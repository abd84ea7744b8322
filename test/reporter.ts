import { relative } from 'node:path';
import Mocha from 'mocha';

import { checkoutFolder } from '../local/paths.ts';

/**
 * Lists the failures when mocha's process ends. Mocha does it when the tests have ended, and in its
 * parallel mode a file that could not be loaded, or whose process ended, fails only after that.
 */
class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const startedAt = Date.now();
    runner.on('fail', (test, error: Error & { file?: string }) => {
      if (error.file) test.title = relative(checkoutFolder, error.file);
    });
    process.once('exit', () => {
      this.stats.duration = Date.now() - startedAt;
      super.epilogue();
    });
  }

  override epilogue(): void {}
}

Object.assign(Mocha.reporters, { marketplace: Reporter });
