import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';

import Mocha from 'mocha';

import { checkoutFolder } from '../local/paths.ts';
import { cpuMsOf } from '../local/test_run/cpu_time.ts';
import type { FileRequest, FileResult } from '../local/test_run/lanes/lane_process.ts';
import { mochaHooks } from './hooks.ts';
import { currentSlowness, measureAgain } from './platform/pace.ts';

// A process of `npm test` that runs one test file after the other, each when its parent names it.

const { forbidOnly, forbidPending, timeout } = JSON.parse(
  readFileSync(join(checkoutFolder, '.mocharc.json'), 'utf8'),
) as Pick<Mocha.MochaOptions, 'forbidOnly' | 'forbidPending' | 'timeout'>;

/** This process, what it started, and its servers. */
const pids = [process.pid, ...(process.env.TEST_SERVER_PIDS?.split(',').map(Number) ?? [])];
let cpuMs = cpuMsOf(pids);

process.on('message', (request: FileRequest) => void answer(request));
// The parent is gone, or needs it no more.
process.on('disconnect', () => process.exit(0));
// Mocha's own would print nothing of what is thrown between two files.
process.on('uncaughtExceptionMonitor', (error) => console.error(error));

async function answer(request: FileRequest): Promise<void> {
  process.send?.(await run(request));
}

async function run({ file, grep, spec = false }: FileRequest): Promise<FileResult> {
  const startedAt = performance.now();
  const mocha = new Mocha({
    reporter: spec ? Mocha.reporters.Spec : Silent,
    forbidOnly: forbidOnly === true,
    forbidPending: forbidPending === true,
    timeout: timeout ?? 0,
    ...(grep !== undefined && { grep }),
  });
  measureAgain();
  mocha.rootHooks(mochaHooks);
  let passed = 0;
  const failed: Mocha.Test[] = [];
  try {
    await load(mocha, join(checkoutFolder, file));
  } catch (error) {
    const failures = `  ${file}\n     could not be loaded:\n${textOf(error)}\n`;
    return {
      file,
      passed,
      failed: [`${file} could not be loaded`],
      failures,
      ...figures(startedAt),
    };
  }
  const { log } = console;
  const printed: string[] = [];
  // The output of a test explains its failures, and is noise without one.
  if (!spec) console.log = (...args) => void printed.push(format(...args));
  await new Promise<void>((resolve) => {
    const runner = mocha.run(() => resolve());
    runner.on('pass', () => (passed += 1));
    runner.on('fail', (test) => failed.push(test));
  });
  console.log = log;
  mocha.dispose();
  return {
    file,
    passed,
    failed: failed.map((test) => test.fullTitle()),
    failures: spec || failed.length === 0 ? '' : [...printed, listOf(failed)].join('\n'),
    ...figures(startedAt),
  };
}

/** Mocha's own tries `require` first, which reads TypeScript as it is on newer versions of Node. */
async function load(mocha: Mocha, path: string): Promise<void> {
  const { suite } = mocha;
  suite.emit('pre-require', globalThis, path, mocha);
  suite.emit('require', await import(pathToFileURL(path).href), path, mocha);
  suite.emit('post-require', globalThis, path, mocha);
}

/** Loading the file is a part of what it costs, and so is what the one before left to do. */
function figures(startedAt: number): Pick<FileResult, 'ms' | 'cpuMs' | 'slowness'> {
  const before = cpuMs;
  cpuMs = cpuMsOf(pids);
  const ms = performance.now() - startedAt;
  return { ms, cpuMs: cpuMs - before, slowness: currentSlowness() };
}

class Silent extends Mocha.reporters.Base {}

/** The list of failures that mocha prints, with differences, as text. */
function listOf(failed: readonly Mocha.Test[]): string {
  const { Base } = Mocha.reporters;
  const print = Base.consoleLog;
  const lines: string[] = [];
  Base.consoleLog = (...args: unknown[]) => void lines.push(format(...args));
  try {
    Base.list([...failed]);
  } finally {
    Base.consoleLog = print;
  }
  return lines.join('\n');
}

const textOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
