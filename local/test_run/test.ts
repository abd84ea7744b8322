import { onStopSignal } from '../processes/signals.ts';
import { filesOf, parseTestArguments, type TestArguments } from './arguments.ts';
import { changedFirst } from './changed_first.ts';
import { DECIDING_CHECKS, FORMAT_CHECK, runChecks, type Checks } from './checks.ts';
import { cpuMsOf } from './cpu_time.ts';
import { measureSlowness } from './pace.ts';
import { lanesFor, openProgress } from './progress.ts';
import { runFiles, type RunningFiles } from './run_files.ts';
import { summaryOf } from './summary.ts';
import { temporaryFolder } from './temporary_folder.ts';
import { placeOf, testFilesIn, type TestCommand } from './test_files.ts';
import { testEnvironment } from './test_servers.ts';
import { translateTo } from './translate.ts';

const folder = temporaryFolder();
const serversFolder = temporaryFolder({ inMemory: true });
let running: RunningFiles | undefined;
let stopping = false;

/**
 * `npm test`, `npm run test:all`, `npm run test:goals`: checks and tests, or the tests of what is
 * named. They run on servers of their own and leave nothing behind. Answers the exit code.
 */
async function test(args: TestArguments): Promise<number> {
  if (args.list) return list();
  const startedAt = Date.now();
  const env = testEnvironment(folder.path);
  const checks = await runChecks(checksOf(args), env);
  for (const text of Object.values(checks)) console.error(text);
  const checksMs = cpuMsOf([process.pid]);
  if (stopping) return 1;

  const isGoals = args.command === 'test:goals';
  const slowness = measureSlowness();
  const translated = `${serversFolder.path}/translated`;
  translateTo(translated);
  const files = args.beyond ? changedFirst(filesOf(args)) : filesOf(args);
  // Of one file, and of measurements, mocha shows each test when it has ended.
  const spec = files.length === 1 || isGoals;
  const progress = openProgress(files.length, process.stdout);
  running = runFiles({
    files,
    lanes: isGoals ? 1 : lanesFor(slowness),
    env: { ...env, TEST_SLOWNESS: String(slowness), TEST_TRANSLATED: translated },
    folder: serversFolder.path,
    node: process.execPath,
    grep: args.grep,
    spec,
    progress: spec ? undefined : progress,
    deadline: args.minutes === undefined ? undefined : startedAt + args.minutes * 60_000,
  });
  const { results, left } = await running.ended;
  progress.clear();
  if (stopping) return 1;

  const { text, failed } = summaryOf({
    results,
    left,
    checks,
    checksMs,
    othersMs: cpuMsOf([process.pid]) - checksMs,
    ms: Date.now() - startedAt,
    dearest: args.dearest,
  });
  console.log(text);
  return failed > 0 ? 1 : 0;
}

function list(): number {
  for (const file of testFilesIn(['test'])) {
    const { command, reason } = placeOf(file);
    console.log(`${command.padEnd(10)} ${file}: ${reason}`);
  }
  return 0;
}

/** Somebody who works on a few files wants their answer, and runs everything at the end. */
function checksOf({ command, named, beyond }: TestArguments): Checks {
  if (named.length > 0 || command === 'test:goals') return {};
  return { ...(!beyond && DECIDING_CHECKS), ...(command === 'test:all' && FORMAT_CHECK) };
}

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
