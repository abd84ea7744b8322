import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

import type { Environment } from '../../shared/platform/config/environment.ts';
import { onStopSignal } from '../processes/signals.ts';
import { filesOf, parseTestArguments, type TestArguments } from './arguments.ts';
import { runAgain } from './again.ts';
import { changedFirst } from './changed_first.ts';
import { DECIDING_CHECKS, FURTHER_CHECKS, runChecks, type Checks } from './checks.ts';
import { cpuMsOf } from './cpu_time.ts';
import { measureSlowness } from './pace.ts';
import { OTHER_NODES, nodeProgram } from './lanes/other_nodes.ts';
import { lanesFor, openProgress } from './progress.ts';
import { buildTestPrograms } from './lanes/programs.ts';
import { runFiles, type FilesRun, type RunningFiles } from './lanes/run_files.ts';
import { summaryOf } from './summary.ts';
import { temporaryFolder } from './temporary_folder.ts';
import { placeOf, startsPrograms, testFilesIn, type TestCommand } from './test_files.ts';
import { PLANNED_AS_USUAL, testEnvironment } from './lanes/test_servers.ts';
import { translateTo } from './lanes/translate.ts';

const folder = temporaryFolder();
const serversFolder = temporaryFolder({ inMemory: true });
let running: RunningFiles | undefined;
let stopping = false;

/**
 * `npm test`, `npm run test:all`, `npm run test:goals`: checks and tests, or the tests of what is
 * named. They run on servers of their own and leave nothing behind. Answers the exit code.
 */
async function test(args: TestArguments): Promise<number> {
  if (args.list) return list(args.named);
  const startedAt = Date.now();
  const env = testEnvironment(folder.path);
  const installedMs = cpuMsOf([process.pid]);
  const checks = await runChecks(checksOf(args), env);
  for (const text of Object.values(checks)) console.error(text);
  const checksMs = cpuMsOf([process.pid]) - installedMs;
  if (stopping) return 1;

  const translated = `${serversFolder.path}/translated`;
  translateTo(translated);
  const deadline = args.minutes === undefined ? Infinity : startedAt + args.minutes * 60_000;
  const runs: FilesRun[] = [];
  for (const pass of passesOf(args)) {
    if (pass.files.some(startsPrograms)) buildTestPrograms();
    const run = await runPass(pass, {
      args,
      deadline,
      env: { ...env, TEST_TRANSLATED: translated },
    });
    if (stopping) return 1;
    runs.push(run);
  }
  const { text, isRight } = summaryOf({
    results: runs.flatMap(({ results }) => results),
    left: runs.flatMap(({ left }) => left),
    checks,
    checksMs,
    othersMs: cpuMsOf([process.pid]) - installedMs - checksMs,
    ms: Date.now() - startedAt,
    dearest: args.dearest,
  });
  console.log(text);
  return isRight ? 0 : 1;
}

/** Files that run on one version of Node. */
interface Pass {
  readonly files: readonly string[];
  /** Absent: the version of this process. */
  readonly version?: string;
}

function passesOf(args: TestArguments): readonly Pass[] {
  const files = args.beyond ? changedFirst(filesOf(args)) : filesOf(args);
  if (args.command !== 'test:all' || args.named.length > 0) return [{ files }];
  const deciding = filesOf({ ...args, command: 'test' });
  return [{ files }, ...OTHER_NODES.map((version) => ({ files: deciding, version }))];
}

async function runPass(
  { files, version }: Pass,
  { args, env, deadline }: { args: TestArguments; env: Environment; deadline: number },
): Promise<FilesRun> {
  const name = version === undefined ? '' : `Node ${version}, `;
  if (version !== undefined && Date.now() > deadline) {
    return { results: [], left: [`npm test on Node ${version}`] };
  }
  const node = version === undefined ? process.execPath : await nodeProgram(version);
  const isGoals = args.command === 'test:goals';
  const slowness = measureSlowness();
  // For a single file, and for measurements, mocha shows each test when it has ended.
  const spec = files.length === 1 || isGoals;
  const progress = spec ? undefined : openProgress(files.length, process.stdout);
  const planning = args.command === 'test' ? {} : PLANNED_AS_USUAL;
  const plan = {
    env: { ...env, TEST_SLOWNESS: String(slowness), ...planning },
    node,
    grep: args.grep,
  };
  if (name) console.log(`\n${name}the tests of npm test:`);
  running = runFiles({
    ...plan,
    files,
    lanes: isGoals ? 1 : lanesFor(slowness),
    folder: passFolder(version),
    spec,
    progress,
    deadline,
  });
  const { results: first, left } = await running.ended;
  progress?.clear();
  const runAlone = async (failed: readonly string[]) => {
    const folder = passFolder(`${version ?? 'own'}-again`);
    running = runFiles({ ...plan, files: failed, lanes: 1, folder, deadline: Infinity });
    return (await running.ended).results;
  };
  const results = args.again && !stopping ? await runAgain(first, runAlone) : first;
  return {
    results: results.map((result) => ({ ...result, file: name + result.file })),
    left: left.map((file) => name + file),
  };
}

/** The user that runs PostgreSQL must pass through it. */
function passFolder(version = 'own'): string {
  const folder = join(serversFolder.path, `node-${version}`);
  mkdirSync(folder);
  chmodSync(folder, 0o711);
  return folder;
}

function list(named: readonly string[]): number {
  for (const file of testFilesIn(named.length > 0 ? named : ['test'])) {
    const { command, reason } = placeOf(file);
    console.log(`${command.padEnd(10)} ${file}: ${reason}`);
  }
  return 0;
}

/** Somebody who works on a few files wants their answer, and runs everything at the end. */
function checksOf({ command, named, beyond }: TestArguments): Checks {
  if (named.length > 0 || command === 'test:goals') return {};
  return { ...(!beyond && DECIDING_CHECKS), ...(command === 'test:all' && FURTHER_CHECKS) };
}

async function stop(code: number, { interrupted = false } = {}): Promise<void> {
  if (stopping) return;
  stopping = true;
  await running?.stop();
  // Servers of interrupted tests are still ending: the folders are then removed after this process.
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
