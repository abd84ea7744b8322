import { cpuMsOf } from './cpu_time.ts';
import { filesOf, parseTestArguments, type TestArguments } from './arguments.ts';
import { changedFirst } from './changed_first.ts';
import { runChecks, type FailedChecks } from './checks.ts';
import { costTable } from './cost_table.ts';
import { measureSlowness } from './pace.ts';
import { formatMs, lanesFor, openProgress } from './progress.ts';
import { runFiles, type FilesRun, type RunningFiles } from './run_files.ts';
import { temporaryFolder } from './temporary_folder.ts';
import { testEnvironment } from './test_servers.ts';
import { translateTo } from './translate.ts';
import { onStopSignal } from '../processes/signals.ts';
import type { TestCommand } from './test_files.ts';

const folder = temporaryFolder();
const serversFolder = temporaryFolder({ inMemory: true });
let running: RunningFiles | undefined;
let stopping = false;

/**
 * `npm test`, `npm run test:all`, `npm run test:goals`: checks and tests, or the tests of what is
 * named. They run on servers of their own and leave nothing behind.
 */
async function test(args: TestArguments): Promise<number> {
  const startedAt = Date.now();
  const env = testEnvironment(folder.path);
  const isWhole = args.named.length === 0;
  const files = args.beyond ? changedFirst(filesOf(args)) : filesOf(args);
  const checksFrom = cpuMsOf([process.pid]);
  const checks = isWhole && args.command !== 'test:goals' && !args.beyond ? await runChecks(env) : {};
  printChecks(checks);
  if (stopping) return 1;

  const filesFrom = cpuMsOf([process.pid]);
  const slowness = measureSlowness();
  const translated = `${serversFolder.path}/translated`;
  translateTo(translated);
  const isGoals = args.command === 'test:goals';
  const progress = openProgress(files.length, process.stdout);
  const spec = files.length === 1 || isGoals;
  running = runFiles({
    files,
    lanes: isGoals ? 1 : Math.min(lanesFor(slowness), files.length),
    env: { ...env, TEST_SLOWNESS: String(slowness), TEST_TRANSLATED: translated },
    folder: serversFolder.path,
    node: process.execPath,
    grep: args.grep,
    spec,
    ...(args.minutes !== undefined && { deadline: startedAt + args.minutes * 60_000 }),
    ...(!spec && { onBegin: progress.begin, onEnd: progress.end }),
  });
  const run = await running.ended;
  progress.clear();
  if (stopping) return 1;

  const own = cpuMsOf([process.pid]) - filesFrom - sum(run.results.map(({ cpuMs }) => cpuMs));
  const others = { checks: filesFrom - checksFrom, 'servers, translation, lanes': own };
  console.log(`\n${costTable(run.results, others, args.dearest)}\n`);
  return summarize({ run, checks, slowness, ms: Date.now() - startedAt });
}

function summarize({
  run: { results, left },
  checks,
  slowness,
  ms,
}: {
  readonly run: FilesRun;
  readonly checks: FailedChecks;
  readonly slowness: number;
  readonly ms: number;
}): number {
  if (left.length > 0) console.log(`Left out, because the time was over: ${left.join(', ')}\n`);
  printChecks(checks);
  const failed = results.flatMap(({ file, failed: names }) =>
    names.map((name) => `  ${file}: ${name}`),
  );
  if (failed.length > 0) console.log(`Failed:\n${failed.join('\n')}\n`);
  const passed = sum(results.map((result) => result.passed));
  const slowest = Math.max(slowness, ...results.map((result) => result.slowness));
  console.log(`${formatMs(ms)}, on a machine up to ${slowest.toFixed(1)} times slower than usual`);
  console.log(`${passed} passed, ${failed.length + Object.keys(checks).length} failed`);
  return failed.length + Object.keys(checks).length > 0 ? 1 : 0;
}

function printChecks(checks: FailedChecks): void {
  for (const [name, output] of Object.entries(checks)) {
    console.error(`The ${name} failed:\n${output}`);
  }
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, n) => total + n, 0);

async function stop(code: number, { interrupted = false } = {}): Promise<void> {
  if (stopping) return;
  stopping = true;
  await running?.stop();
  // What interrupted tests started is still ending: then they are removed after this process.
  if (!interrupted) await Promise.all([folder.remove(), serversFolder.remove()]);
  process.exit(code);
}

onStopSignal(
  () => void stop(1, { interrupted: true }),
  () => process.exit(1),
);
try {
  const [command, ...rest] = process.argv.slice(2);
  await stop(await test(parseTestArguments(command as TestCommand, rest)));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  await stop(1);
}
