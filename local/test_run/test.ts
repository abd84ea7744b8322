import { join } from 'node:path';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { run } from '../processes/command.ts';
import { startWithWatchdog, type WatchedProcess } from '../processes/watchdog.ts';
import { checkoutFolder } from '../paths.ts';
import type { Server } from '../processes/server.ts';
import { onStopSignal } from '../processes/signals.ts';
import { temporaryFolder } from './temporary_folder.ts';
import { startTestServers, testEnvironment } from './test_servers.ts';

const folder = temporaryFolder();
const servers: Server[] = [];
let mocha: WatchedProcess | undefined;
let stopping = false;

/** `npm test`: all checks and tests, on servers of its own, which leave nothing behind. */
async function test(args: readonly string[]): Promise<number> {
  const plain = testEnvironment(folder.path);
  const [failed, urls] = await Promise.all([runChecks(plain), startServers()]);
  if (stopping) return 1;

  mocha = startWithWatchdog(
    process.execPath,
    ['--import', 'tsx', 'node_modules/mocha/bin/mocha.js', ...withSpec(args)],
    { signal: 'TERM', output: 'inherit', cwd: checkoutFolder, env: { ...plain, ...urls } },
  );
  const code = await mocha.ended;
  for (const name of failed) console.error(`The ${name} failed; its output stands at the top.`);
  return code || failed.length;
}

const CHECKS = {
  'type check': ['tsc', '--noEmit'],
  linter: ['oxlint', '--type-aware'],
  // It would read ignored folders too, which may be closed to this user.
  formatter: ['prettier', '--check', '--log-level', 'warn', '.', '!.data', '!.cache'],
};

/** A failure is printed and the tests run all the same: one run names all that is wrong. */
async function runChecks(env: Environment): Promise<string[]> {
  const failed: string[] = [];
  const checks = Object.entries(CHECKS).map(async ([name, [command = '', ...args]]) => {
    const file = join(checkoutFolder, 'node_modules/.bin', command);
    const { ok, all } = await run(file, args, { cwd: checkoutFolder, env });
    if (ok || stopping) return;
    failed.push(name);
    console.error(`The ${name} failed:\n${all}`);
  });
  await Promise.all(checks);
  return failed;
}

async function startServers(): Promise<Environment> {
  const { postgres, redis, urls } = await startTestServers(folder.path);
  servers.push(postgres, redis);
  return urls;
}

/** All tests, unless the arguments name some. */
function withSpec(args: readonly string[]): readonly string[] {
  const namesTests = args.some((arg) => arg.endsWith('.ts') || /^(\.\/)?test\b/.test(arg));
  return namesTests ? args : [...args, 'test/**/*.test.ts'];
}

async function stop(code: number, { interrupted = false } = {}): Promise<void> {
  if (stopping) return;
  stopping = true;
  await mocha?.stop();
  await Promise.all(servers.map((server) => server.stop()));
  // What interrupted tests started is still ending: then the folder is removed after this process.
  if (!interrupted) await folder.remove();
  process.exit(code);
}

onStopSignal(
  () => void stop(1, { interrupted: true }),
  () => process.exit(1),
);
try {
  await stop(await test(process.argv.slice(3)));
} catch (error) {
  console.error(String(error));
  await stop(1);
}
