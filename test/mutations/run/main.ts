import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { onStopSignal } from '../../../local/processes/signals.ts';
import { temporaryFolder } from '../../../local/test_run/temporary_folder.ts';
import type { Mutation } from '../mutation.ts';
import { changedSince } from './changed.ts';
import { problemOf } from './problem.ts';
import { openLane, type Lane } from './lane.ts';
import { formatTable, formatVerdict, type Judged } from './report.ts';
import { select, type Chosen } from './select.ts';
import type { FailedTest } from './test_run.ts';
import { unmutatedRuns, type UnmutatedRun } from './unmutated_runs.ts';
import { broken, tookTooLong, verdictOf } from './verdict.ts';

/**
 * `npm run mutate [-- [--since revision] name…]`: applies the mutations one at a time, to copies of
 * the checkout with servers of their own, and runs the tests that must notice. A name is an area or
 * the beginning of the name of a mutation; without names it is all of them. With a revision it is
 * those of them that changed since (changed.ts). Exits with 1 if one survives that is not declared
 * equivalent, or if nothing could be learned of one.
 */

const LANES = 2;
const SECONDS_MAX = 180;
/** Without a mutation whole files run, many of them in one run. */
const UNMUTATED_SECONDS_MAX = 1_800;

const folder = temporaryFolder();
const lanes: Lane[] = [];
let stopping = false;

async function mutate(args: readonly string[]): Promise<number> {
  const chosen = await choose(args);
  console.log(`${chosen.length} mutations.`);
  if (chosen.length === 0) return 0;
  const opened = Array.from({ length: Math.min(LANES, chosen.length) }, async (_, n) => {
    const path = join(folder.path, `lane_${n + 1}`);
    mkdirSync(path);
    lanes.push(await openLane(path));
  });
  await Promise.all(opened);

  const red = await redTests(chosen.map(({ mutation }) => mutation));
  const redNames = new Set(red.map(({ name }) => name));
  const judged: Judged[] = [];
  await inLanes(chosen, async (lane, { area, mutation }) => {
    const problem = problemOf(mutation);
    // The first failure is the last that is needed, unless it says nothing.
    const bail = !red.some(({ file }) => file === undefined || mutation.tests.includes(file));
    const options = { grep: mutation.grep, bail, mutation };
    const run = problem
      ? undefined
      : await lane.run(mutation.tests, { ...options, secondsMax: SECONDS_MAX });
    const again =
      run && !stopping && tookTooLong(run)
        ? await lane.run(mutation.tests, { grep: mutation.grep, secondsMax: SECONDS_MAX })
        : undefined;
    if (stopping) return;
    const verdict = run ? verdictOf(mutation, run, { red: redNames, again }) : broken(problem!);
    const one = { area, mutation, verdict, seconds: run?.seconds ?? 0 };
    judged.push(one);
    console.log(formatVerdict(one));
  });
  console.log(formatTable(judged));
  return red.length === 0 && judged.every(({ verdict }) => verdict.good) ? 0 : 1;
}

async function choose(args: readonly string[]): Promise<readonly Chosen[]> {
  const options = { since: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const named = select(positionals);
  if (values.since === undefined) return named;
  const lists = join(folder.path, 'since');
  mkdirSync(lists);
  return changedSince(values.since, named, lists);
}

/**
 * The tests that fail without any mutation: they could notice nothing. What fails runs once more
 * when nothing else does, because two runs side by side are slow.
 */
async function redTests(mutations: readonly Mutation[]): Promise<readonly FailedTest[]> {
  const runs = unmutatedRuns(mutations, LANES);
  console.log(`First the tests without a mutation, in ${runs.length} runs.`);
  const again: UnmutatedRun[] = [];
  const run = async (lane: Lane, { tests, grep }: UnmutatedRun) => {
    const done = await lane.run(tests, { grep, secondsMax: UNMUTATED_SECONDS_MAX });
    if (!stopping && !done.complete) throw new Error(`${tests.join(' ')} failed:\n${done.output}`);
    return done.failed;
  };
  await inLanes(runs, async (lane, one) => {
    const files = (await run(lane, one)).map(({ file }) => file);
    const isRed = (test: string) => files.includes(undefined) || files.includes(test);
    if (files.length > 0) again.push({ tests: one.tests.filter(isRed), grep: one.grep });
  });
  const red: FailedTest[] = [];
  for (const one of again) red.push(...(await run(lanes[0]!, one)));
  for (const { name, message } of red) console.log(`fails without a mutation: ${name}: ${message}`);
  return red;
}

/** Each lane takes the next when it is done with its last. */
async function inLanes<T>(
  all: readonly T[],
  act: (lane: Lane, one: T) => Promise<void>,
): Promise<void> {
  const next = all.values();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of next) if (!stopping) await act(lane, one);
    }),
  );
}

async function stop(code: number, { interrupted = false } = {}): Promise<void> {
  if (stopping) return;
  stopping = true;
  await Promise.all(lanes.map((lane) => lane.stop()));
  // Interrupted tests may still be ending: then the folder is removed after this process.
  if (!interrupted) await folder.remove();
  process.exit(code);
}

onStopSignal(
  () => void stop(1, { interrupted: true }),
  () => process.exit(1),
);
try {
  await stop(await mutate(process.argv.slice(3)));
} catch (error) {
  console.error(String(error));
  await stop(1);
}
