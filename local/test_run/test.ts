import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import { startWithWatchdog, type WatchedProcess } from '../processes/watchdog.ts';
import { checkoutFolder } from '../paths.ts';
import { onStopSignal } from '../processes/signals.ts';
import { runChecks } from './checks.ts';
import { temporaryFolder } from './temporary_folder.ts';
import { everyTestFile } from './test_files.ts';
import { startTestServers, testEnvironment, type TestServers } from './test_servers.ts';
import { timesTable } from './times.ts';

/** Each runs a test file at a time, on servers of its own. Four for two cores: tests wait. */
const LANES = 4;

const folder = temporaryFolder();
const serversFolder = temporaryFolder({ inMemory: true });
const lanes: TestServers[] = [];
let mocha: WatchedProcess | undefined;
let stopping = false;

/**
 * `npm test`: all checks and tests, or the tests of the files that are named. They run on servers
 * of their own and leave nothing behind.
 */
async function test(args: readonly string[]): Promise<number> {
  const env = testEnvironment(folder.path);
  const named = args.filter((arg) => arg.endsWith('.ts') || /^(\.\/)?test\b/.test(arg));
  // Somebody who works on a few files wants their answer, and runs everything at the end.
  const checks = named.length > 0 ? [] : runChecks(env);
  const files = named.length > 0 ? [] : everyTestFile();
  // One file alone is shown while it runs; of several, mocha shows each when it has ended.
  const isOneFile = named.length === 1 && existsSync(named[0]!);
  const urls = await startLanes(isOneFile ? 1 : LANES);
  if (stopping) return 1;

  const times = join(folder.path, 'times');
  const parallel = isOneFile ? [] : ['--parallel', '--jobs', String(LANES)];
  mocha = startWithWatchdog(
    process.execPath,
    [
      '--max-semi-space-size=64',
      '--import',
      'tsx',
      'node_modules/mocha/bin/mocha.js',
      ...parallel,
      ...args,
      ...files,
    ],
    {
      signal: 'TERM',
      output: 'inherit',
      cwd: checkoutFolder,
      env: { ...env, TEST_TIMES: times, TEST_LANES: JSON.stringify(urls) },
    },
  );
  const code = await mocha.ended;
  console.log(timesTable(times));
  const failed = await checks;
  for (const { name, output } of failed) console.error(`The ${name} failed:\n${output}`);
  return code || failed.length;
}

/** The first alone, because Redis may have to be fetched, which it does for all. */
async function startLanes(count: number): Promise<TestServers['urls'][]> {
  await startLane(0);
  await Promise.all(Array.from({ length: count - 1 }, (_, n) => startLane(n + 1)));
  return lanes.map(({ urls }) => urls);
}

async function startLane(n: number): Promise<void> {
  const lane = join(serversFolder.path, `lane-${n}`);
  mkdirSync(lane);
  chmodSync(lane, 0o711); // The user that runs PostgreSQL must pass through it.
  lanes.push(await startTestServers(lane));
}

async function stop(code: number, { interrupted = false } = {}): Promise<void> {
  if (stopping) return;
  stopping = true;
  await mocha?.stop();
  await Promise.all(lanes.flatMap(({ postgres, redis }) => [postgres.stop(), redis.stop()]));
  // What interrupted tests started is still ending: then they are removed after this process.
  if (!interrupted) await Promise.all([folder.remove(), serversFolder.remove()]);
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
